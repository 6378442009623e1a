"""What is measured against what: `bench/run [NAME...]`."""
