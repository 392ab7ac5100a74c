"""Summarises single measurements: one line for each thing measured."""
import statistics

# The fields that name a measurement. All other fields of a record were measured.
IDENTITY = ("part", "server", "load", "workload", "cost", "measure", "direction", "bytes", "connections", "in_flight")
COMPARED = ("calls_per_second", "p50_us", "p99_us", "server_cpu_us")


def identity(record):
    return tuple((name, record[name]) for name in IDENTITY if name in record)


def middle(values):
    value = statistics.median(values)
    return value if isinstance(value, int) else float(f"{value:.5g}")


def summarize(records):
    """One record for each thing measured: medians, how many rounds, how far the calls/s spread, and ratios to the reference.

    A ratio is computed within each round, where the machine's state was the same for both, and then the median of the rounds is taken."""
    groups = {}
    for record in records:
        groups.setdefault(identity(record), []).append(record)
    reference = {
        (record["workload"], record["round"]): record for record in records
        if record.get("server") == "reference" and record["part"] == "matrix"}
    return [summary(dict(key), group, reference) for key, group in groups.items()]


def summary(key, group, reference):
    if len(group) == 1 and "round" not in group[0]:
        return group[0]
    result = key | {"rounds": len(group)}
    for name in group[0]:
        values = [record[name] for record in group if name in record]
        if name not in key and name != "round" and all(isinstance(value, (int, float)) for value in values):
            result[name] = middle(values)
    rates = [record["calls_per_second"] for record in group if "calls_per_second" in record]
    if rates:
        result["slowest_round"], result["fastest_round"] = min(rates), max(rates)
    if key["part"] == "matrix":
        for name in COMPARED:
            ratios = [
                record[name] / other[name] for record in group
                if (other := reference.get((record["workload"], record["round"]))) and other.get(name)]
            if ratios:
                result[f"{name}_to_reference"] = middle(ratios)
    return result


class Medians:
    """The summaries, for look-ups."""

    def __init__(self, summaries):
        self.summaries = summaries

    def find(self, **wanted):
        """The summary with these properties; empty if it was not measured."""
        for summary in self.summaries:
            if all(summary.get(name) == value for name, value in wanted.items()):
                return summary
        return {}

    def matrix(self, server, workload, load=None):
        """The summary of a server's first load, unless another load is named."""
        wanted = {"part": "matrix", "server": server, "workload": workload} | ({"load": load} if load else {})
        return self.find(**wanted)

    def cost(self, server, cost):
        return self.find(part="costs", server=server, cost=cost)

    def product(self, measure):
        return self.find(part="product", measure=measure)

    def ratio(self, one, other, name="calls_per_second"):
        """The ratio of two summaries; None if one is missing."""
        return one[name] / other[name] if one.get(name) and other.get(name) else None
