"""Plots and a single-file HTML report of Headroom results.

Reads result folders (summary.json, messages.csv, pfc.csv, queues.csv, ports.csv, events.csv, rates.csv,
resolved.yaml) and writes SVG, PNG and the drawn data as CSV. Run it as

    python3 -m headroom_plot DIR... [--out DIR]

Needs Debian's python3-matplotlib and python3-pandas, nothing else. Inside, times are in microseconds and
sizes in bytes unless a name says otherwise.
"""
