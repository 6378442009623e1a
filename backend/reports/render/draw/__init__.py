"""Figures to SVG with matplotlib, in the look of the screen. Worker only: heavy imports."""
