"""The charts as plain data: series, labels, colours. Drawn elsewhere, tested here.

The screen has the same figures in ``frontend/src/features/compare/figures``; a shared
fixture holds the series and labels of both to each other.
"""
