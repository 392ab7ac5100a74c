"""The servers that are compared, and how each is built and started."""
import os
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass

from . import places

TTRPC, GRPC = "ttrpc", "gRPC"


@dataclass(frozen=True)
class Server:
    name: str  # for --only and in the results
    title: str  # for people
    protocol: str
    kind: str  # "reference", "ours" or "peer"
    program: str
    build: tuple  # a command, or what `builds` knows
    arguments: tuple = ("{socket}",)
    method: str = "Echo"

    def command(self, socket_path):
        return [self.program, *(word.replace("{socket}", socket_path) for word in self.arguments)]


RELEASE = str(places.PACKAGE / "Scripts/release")


def swift_build(*arguments):
    """The command of a release build. Nested packages build into the package's own folder, so that shared modules are compiled once. SwiftPM's cache
    of manifests cannot distinguish such packages, so it is off."""
    return RELEASE, "--disable-build-manifest-caching", "--scratch-path", str(places.PACKAGE / ".build"), *arguments


def make(folder):
    return ("make", "--no-print-directory", "-C", str(places.BENCHMARKS / folder), f"BUILD={places.PROGRAMS}")


OWN_BUILD = swift_build("--package-path", str(places.BENCHMARKS))
# Built as in docs/your-own-service.md.
GREETER_BUILD = swift_build("--package-path", str(places.PACKAGE / "Examples/Greeter"), "--product", "greeter-server")
# The same with Swift's shared libraries. Other flags need another build of everything, so it has its own folder.
SHARED_GREETER_FOLDER = places.BUILT / "shared-greeter"
SHARED_GREETER_BUILD = (
    "swift", "build", "-c", "release", "--product", "greeter-server",
    "--package-path", str(places.PACKAGE / "Examples/Greeter"), "--scratch-path", str(SHARED_GREETER_FOLDER))
DAEMON_BUILD = swift_build("--package-path", str(places.PACKAGE), "--product", "pulseboardd")
IMAGE_BUILD = swift_build("--package-path", str(places.PACKAGE), "--product", "pulseboard-image")
CLI_BUILD = swift_build("--package-path", str(places.PACKAGE), "--product", "pulseboard")
LOAD_GENERATOR_BUILD = make("LoadGenerator")
SIGSUSPEND_BUILD = make("Instructions")
GRPC_CPP_BUILD = make("Peers/grpc-cpp")
GRPC_SWIFT_FOLDER = places.BUILT / "grpc-swift"
GRPC_SWIFT_BUILD = (
    RELEASE, "--product", "grpc-swift-server",
    "--package-path", str(places.BENCHMARKS / "Peers/grpc-swift"), "--scratch-path", str(GRPC_SWIFT_FOLDER))

OURS = dict(
    kind="ours", program=places.product("rpc-benchmark"), build=OWN_BUILD, arguments=("serve", "--socket", "{socket}"))

SERVERS = [
    Server("reference", "C, epoll, protobuf-c", TTRPC, "reference", places.program("reference-server"), make("Reference")),
    Server("ours", "PulseBoard, synchronous handler", TTRPC, **OURS),
    Server("ours-async", "PulseBoard, async handler", TTRPC, method="EchoAsync", **OURS),
    Server("ttrpc-go", "ttrpc-go", TTRPC, "peer", places.program("ttrpc-go-server"), make("Peers/ttrpc-go")),
    Server("ttrpc-rust", "ttrpc-rust, async", TTRPC, "peer", places.program("ttrpc-rust-server"), make("Peers/ttrpc-rust")),
    Server("ours-grpc", "PulseBoard, synchronous handler", GRPC, **OURS),
    Server("ours-grpc-async", "PulseBoard, async handler", GRPC, method="EchoAsync", **OURS),
    Server("grpc-cpp", "gRPC C++, async", GRPC, "peer", places.program("grpc-cpp-server"), GRPC_CPP_BUILD),
    Server(
        "grpc-swift", "grpc-swift-2", GRPC, "peer", str(GRPC_SWIFT_FOLDER / "release" / "grpc-swift-server"), GRPC_SWIFT_BUILD),
]


def build(commands):
    """Runs each build once, in the given order."""
    for command in dict.fromkeys(commands):
        print("build:", " ".join(command), flush=True)
        # A nested package uses the same versions as the package itself.
        if "Examples/Greeter" in " ".join(command) and (places.PACKAGE / "Package.resolved").exists():
            shutil.copy(places.PACKAGE / "Package.resolved", places.PACKAGE / "Examples/Greeter/Package.resolved")
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


class Running:
    """A server's process, for the time of a `with`."""

    def __init__(self, command, socket_path, cpu=None, wrapper=(), patience=30, environment=None):
        self.command = [*wrapper, *command]
        self.socket_path = socket_path
        self.cpu = cpu
        self.patience = patience  # seconds until it must listen
        self.environment = os.environ | (environment or {})

    def __enter__(self):
        if os.path.exists(self.socket_path):
            os.unlink(self.socket_path)
        # Standard input stays open, because some servers end when it is closed.
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=self.environment, preexec_fn=None if self.cpu is None else lambda: os.sched_setaffinity(0, {self.cpu}))
        self.pid = self.process.pid
        try:
            self.wait_until_it_listens()
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait_until_it_listens(self):
        deadline = time.monotonic() + self.patience
        while True:
            with socket.socket(socket.AF_UNIX) as probe:
                try:
                    return probe.connect(self.socket_path)
                except OSError:
                    pass
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.command[0]} ended with {self.process.returncode} before it served")
            if time.monotonic() > deadline:
                raise RuntimeError(f"{self.command[0]} does not listen")
            time.sleep(0.005)

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()

    def cpu_seconds(self):
        """CPU time so far of all threads, ended ones included, in seconds."""
        # The kernel's name for the CPU clock of another process (clock_getcpuclockid(3)).
        return time.clock_gettime((~self.pid << 3) | 2)
