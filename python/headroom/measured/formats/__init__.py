"""A file for each format: it recognises a file, and reads its rows."""
