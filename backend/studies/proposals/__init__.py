"""From the work alone to designs that can be compared: sized, priced, complete."""
