"""What tests are made of: random documents and studies, and what every answer has to hold.

Nothing of the product imports it.
"""
