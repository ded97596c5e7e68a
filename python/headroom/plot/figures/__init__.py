"""A plot a file: each takes results, or a study, and gives a Plot, or None without data."""
