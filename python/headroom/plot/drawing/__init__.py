"""How figures look, still and in a browser, and what they are made of."""
