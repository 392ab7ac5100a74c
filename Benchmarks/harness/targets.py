"""The project's performance targets, and whether the figures reach them."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    title: str
    value: object  # the figure; None: not measured
    bound: float
    unit: str = ""
    at_most: bool = False

    @property
    def is_reached(self):
        return self.value <= self.bound if self.at_most else self.value >= self.bound


def to_reference(medians):
    """(workload, figure, bound of the synchronous handler, bound of the async one, whether smaller is better)"""
    rows = [
        ("1x64/64", "calls_per_second", 0.95, 0.85, False), ("16x1/64", "calls_per_second", 0.90, 0.80, False),
        ("16x16/64", "calls_per_second", 0.85, 0.50, False), ("1x1/64/pinned", "p50_us", 1.25, 1.35, True),
        ("16x16/4096", "calls_per_second", 0.90, None, False), ("1x1/262144", "calls_per_second", 0.90, None, False),
        ("1x64/64", "server_cpu_us", 1.2, 2, True)]
    for workload, name, synchronous, asynchronous, at_most in rows:
        for server, kind, bound in (("ours", "synchronous", synchronous), ("ours-async", "async", asynchronous)):
            if bound is not None:
                value = medians.matrix(server, workload).get(f"{name}_to_reference")
                yield Target(f"{said(workload)}, {FIGURES[name]}, {kind} handler, to the reference", value, bound, "×", at_most)


FIGURES = {"calls_per_second": "calls/s", "p50_us": "p50", "server_cpu_us": "server CPU a call"}


def said(workload):
    shape, size, *pinned = workload.split("/")
    count = int(size)
    return f"{shape.replace('x', '×')}, {count} B" + (", one CPU" if pinned else "") if count < 1024 else (
        f"{shape.replace('x', '×')}, {count // 1024} KiB")


def of_the_store(medians):
    """Targets for PostgreSQL, relative to pgbench with the same statements and to a simple service on psycopg."""
    for operation, said in (("follow", "Follow"), ("profile", "GetProfile by username"), ("list", "ListFollowers")):
        ours = medians.product(f"store/postgresql/{operation}")
        for name, bound in (("pgbench", 0.8), ("psycopg", 3)):
            value = medians.ratio(ours, medians.product(f"store/{name}/{operation}"), "calls_per_second")
            yield Target(f"{said} on PostgreSQL, 64 in flight, calls/s, to {name}", value, bound, "×")


def to_peers(medians):
    rows = [
        ("1x64/64", "calls_per_second", {"ttrpc-go": 4, "ttrpc-rust": 2.5, "grpc-cpp": 5, "grpc-swift": 50}, False),
        ("16x1/64", "calls_per_second", {"ttrpc-go": 2.6, "ttrpc-rust": 1.6, "grpc-cpp": 3.5}, False),
        ("16x16/64", "calls_per_second", {"ttrpc-go": 8, "grpc-cpp": 15}, False),
        ("1x1/64/pinned", "p50_us", {"ttrpc-go": 1}, True),
        ("16x16/4096", "calls_per_second", {"ttrpc-go": 4}, False),
        ("1x1/262144", "calls_per_second", {"ttrpc-go": 2.5}, False),
        ("1x64/64", "server_cpu_us", {"ttrpc-go": 0.12}, True)]
    for workload, name, bounds, at_most in rows:
        for peer, bound in bounds.items():
            value = medians.ratio(medians.matrix("ours", workload), medians.matrix(peer, workload), name)
            yield Target(f"{said(workload)}, {FIGURES[name]}, to {peer}", value, bound, "×", at_most)


def over_grpc(medians):
    for load in ("h2load", "grpc-cpp-client"):
        for workload in ("1x64/64", "16x16/64"):
            for peer, bound in (("grpc-cpp", 2), ("grpc-swift", 15)):
                value = medians.ratio(medians.matrix("ours-grpc", workload, load), medians.matrix(peer, workload, load))
                yield Target(f"gRPC, {said(workload)}, {load}, calls/s, to {peer}", value, bound, "×")
        value = medians.ratio(
            medians.matrix("ours-grpc", "1x1/64", load), medians.matrix("grpc-cpp", "1x1/64", load), "p50_us")
        yield Target(f"gRPC, 1×1, 64 B, {load}, p50, to grpc-cpp", value, 1, "×", True)
        value = medians.ratio(
            medians.matrix("ours-grpc", "1x1/64/pinned", load), medians.matrix("grpc-cpp", "1x1/64/pinned", load), "p50_us")
        yield Target(f"gRPC, 1×1, 64 B, one CPU, {load}, p50, to grpc-cpp", value, 1, "×", True)
    # The same without the scheduler's influence (docs/performance.md, "How to read the figures").
    value = medians.ratio(
        medians.matrix("ours-grpc", "1x64/64/pinned", "h2load"), medians.matrix("grpc-cpp", "1x64/64/pinned", "h2load"))
    yield Target("gRPC, 1×64, 64 B, one CPU, h2load, calls/s, to grpc-cpp", value, 2, "×")


def of_the_product(medians):
    value = medians.ratio(medians.product("my-profile"), medians.product("ours-async"))
    yield Target("GetMyProfile from memory, calls/s, to the echo of an async handler", value, 0.75, "×")
    value = medians.ratio(medians.product("my-profile"), medians.product("ours"))
    yield Target("GetMyProfile from memory, calls/s, to the echo of a synchronous handler", value, 0.75, "×")
    value = medians.product("profile-in-store").get("server_cpu_us")
    yield Target("A profile read from the store, server CPU", value, 25, " µs", True)
    yield Target("Durable Follow, 64 in flight", medians.product("follow").get("calls_per_second"), 30_000, "/s")
    network = medians.product("network")
    # The target is for the whole network; a smaller one does not show it.
    seconds = network.get("load_seconds") if network.get("people") == 37_700 else None
    yield Target("The network of 37,700 people, pulseboard load", seconds, 30, " s", True)
    echo = medians.product("ours-async").get("server_cpu_us")
    for measure, title, bound in (("image-96", "GetProfileImage, 96 px", 25), ("image-400", "GetProfileImage, 400 px", 60)):
        yield Target(f"{title}, server CPU above the echo of an async handler", difference(medians.product(measure).get("server_cpu_us"), echo), bound, " µs", True)
    peer = medians.product("sign-in-peer").get("server_cpu_us")
    for algorithm in ("RS256", "ES256"):
        value = difference(medians.product(f"sign-in-{algorithm.lower()}").get("server_cpu_us"), peer)
        yield Target(f"SignIn with an ID token, {algorithm}, server CPU above that of a named account", value, 300, " µs", True)
    value = medians.product("write-beside-purge").get("longest_us")
    yield Target("The longest write beside a purge", value and value / 1e3, 50, " ms", True)


def difference(value, other):
    return value - other if value and other else None



def of_growth(medians):
    operations = {
        "relationship": "a relationship", "first-page": "the first page of a list", "page-1000": "the 1,000th page",
        "counts": "counts"}
    for operation, title in operations.items():
        small, large = (medians.product(f"growth/{stage}/{operation}") for stage in ("100k", "10m"))
        # A quick run does not grow that far.
        value = medians.ratio(large, small, "server_cpu_us") if medians.product("growth").get("edges", 0) >= 10_000_000 else None
        yield Target(f"10 M edges, {title}, server CPU, to 100 k edges", value, 1.5, "×", True)


def of_costs(medians):
    for server, title, bound in (("greeter", "The Greeter example idle, built lean", 10), ("pulseboardd", "pulseboardd idle", 24)):
        kib = medians.cost(server, "memory").get("before_kib")
        yield Target(title, kib and kib / 1024, bound, " MiB", True)
    for server in ("greeter", "pulseboardd"):
        value = medians.cost(server, "memory").get("kib_per_connection")
        yield Target(f"An idle connection of {server}", value, 4, " KiB", True)
        value = medians.cost(server, "start-up").get("start_up_ms")
        yield Target(f"{server}: from exec to the first answer", value, 50, " ms", True)


def of_streams(medians):
    for direction in ("download", "upload"):
        value = medians.find(part="streams", direction=direction, bytes=64).get("messages_per_second")
        yield Target(f"A stream of 64 B one way, {direction}", value, 1_000_000, "/s")


def targets(medians):
    for family in (to_reference, to_peers, over_grpc, of_the_product, of_the_store, of_growth, of_streams, of_costs):
        yield from family(medians)
