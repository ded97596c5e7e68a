"""A result as a Chrome trace (JSON), which Perfetto opens: https://ui.perfetto.dev or chrome://tracing.

The format is Google's "Trace Event Format": an object with a list `traceEvents`. A node of the network is a process, a
priority of a port a thread. Pauses are complete slices (X) there; queues, groups and rates are counters (C) of the
node. Drops, notifications and lines of events.csv are instants (i). Times are in microseconds, exact to the picosecond.
"""
