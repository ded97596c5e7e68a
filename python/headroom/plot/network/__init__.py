"""The map of a network: its nodes and links, the load of each port, groups, places, and the drawing."""
