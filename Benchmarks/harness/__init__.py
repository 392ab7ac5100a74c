"""The modules of Benchmarks/run. They use only the standard library."""
