"""The map of a network: its nodes and links, how busy each port was, groups of them, where they stand, and the drawing."""
