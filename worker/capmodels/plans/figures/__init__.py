"""What charts of a comparison draw, on screen and in print: series, names, findings, tables."""
