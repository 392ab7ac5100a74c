"""What Benchmarks/run is made of. Standard library only."""
