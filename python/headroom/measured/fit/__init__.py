"""`headroom perf --fit`: a NIC's resources from tables of perftest."""
