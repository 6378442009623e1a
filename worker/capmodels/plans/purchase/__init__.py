"""What to order, commit to and rent, and when."""
