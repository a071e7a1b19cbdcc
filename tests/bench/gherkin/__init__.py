"""The step definitions that the comparison with behave and pytest-bdd gives to both of them."""
