"""Plots and a single-file HTML report of Headroom results.

Reads result folders (summary.json, resolved.yaml, the CSV files) and writes SVG, PNG and the drawn data as CSV. Run it as

    python3 -m headroom.plot DIR... [--out DIR]

Needs Debian's python3-matplotlib and python3-pandas, and of python3-plotly the file plotly.js. Inside, times are in microseconds and
sizes in bytes unless a name says otherwise.
"""
