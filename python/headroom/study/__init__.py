"""Studies: sweeps over settings and searches for the best ones, as many runs of `headroom run`.

`headroom sweep` and `headroom tune` start it, with the program's path as HEADROOM_PROGRAM. A study is a folder with one
SQLite database (store.py) and one result folder for each run. It needs Debian's python3, and for `tune` also
python3-optuna.
"""
