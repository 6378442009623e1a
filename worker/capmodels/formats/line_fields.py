"""How a field of a line is read, and why it could not be."""

NUMBER, LETTER, SKIP, HEX = range(4)
TOO_FEW, NOT_A_NUMBER, TOO_LARGE = 1, 2, 3
