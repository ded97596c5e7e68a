"""Plots and a single-file HTML report of Headroom results.

Reads result folders (summary.json, resolved.yaml, the CSV files) and writes SVG, PNG and the drawn data as CSV. Run it as

    python3 -m headroom.plot DIR... [--out DIR]

It needs Debian's python3-matplotlib and python3-pandas, and the file plotly.js of python3-plotly. Internally, times are
in microseconds and sizes in bytes unless a name states otherwise.
"""
