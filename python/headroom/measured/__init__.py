"""What is measured on real switches and NICs, beside what a run counts."""
