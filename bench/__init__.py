"""How fast we are, measured beside the engines one would otherwise use: `python -m bench`, or `make bench`.

Reading order: `workloads` (what is asked), `peers` (the others, written the obvious way), `contests` (who runs against
whom), `measure` (agreement first, then time), `table` (what is printed), `floors.toml` (what may not get worse).
"""
