"""Where things are."""
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
PACKAGE = BENCHMARKS.parent
# The folder for what the benchmark builds besides the package itself.
BUILT = BENCHMARKS / ".build"
PROGRAMS = BUILT / "bin"
RESULTS = BENCHMARKS / "results"
PAGE = PACKAGE / "docs" / "performance.md"
PLOTS = PACKAGE / "docs" / "performance"


def program(name):
    return str(PROGRAMS / name)


def product(name):
    """A program of the Swift packages, built for release."""
    return str(PACKAGE / ".build" / "release" / name)
