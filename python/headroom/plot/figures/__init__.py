"""One plot in each file: each takes results, or a study, and returns a Plot, or None without data."""
