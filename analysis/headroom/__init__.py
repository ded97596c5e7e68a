"""Results and studies of Headroom: read, aggregated and worded in one place, which plot, trace and study stand on."""
