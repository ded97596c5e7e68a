"""Studies: sweeps over settings and searches for the best ones, as many runs of `headroom run`.

Started by `headroom sweep` and `headroom tune`, which give the program's path as HEADROOM_PROGRAM. A study is a folder
with one SQLite database (store.py) and one result folder a run. Needs Debian's python3; `tune` python3-optuna too.
"""
