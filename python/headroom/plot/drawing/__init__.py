"""The style of figures, still and in a browser, and their parts."""
