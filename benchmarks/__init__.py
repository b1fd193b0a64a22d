"""Measurements against peers: `make bench`, or `python -m benchmarks` where the peers are installed."""
