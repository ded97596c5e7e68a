"""The single-file HTML report: words, tables, figures."""
