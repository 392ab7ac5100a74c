"""A diary: saved and listed on a device, and synchronised with a server and other devices. The measuring program is an ordinary client. A relay
counts the bytes on the socket."""
import json
import os
import shutil
import socket
import threading

from . import calendars, loads, places, product

MEASURES = ("diary-save", "diary-month", "diary-first-10000", "diary-first-20000", "diary-live", "diary-bytes", "diary-peer")
PROGRAM = places.product("diary-benchmark")
# The number of changes for measuring bytes.
CHANGES = 200


class Relay:
    """A relay between the devices' sockets and the server's, within a `with`. It counts bytes in both directions."""

    def __init__(self, path, target):
        self.path, self.target, self.sent, self.received = path, target, 0, 0
        self.lock = threading.Lock()

    def __enter__(self):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()
        os.unlink(self.path)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self.target)
            threading.Thread(target=self.copy, args=(client, server, "sent"), daemon=True).start()
            threading.Thread(target=self.copy, args=(server, client, "received"), daemon=True).start()

    def copy(self, source, target, name):
        try:
            while part := source.recv(65_536):
                target.sendall(part)
                with self.lock:
                    setattr(self, name, getattr(self, name) + len(part))
        except OSError:
            pass
        try:
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def run(name, turn, work, words, record, extra=lambda: {}):
    """Runs the program in an empty directory. Each line of its output is a record."""
    directory = os.path.join(work, "diary")
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory, 0o700)
    try:
        for line in loads.run([PROGRAM, *map(str, words), "--directory", directory]).splitlines():
            found = json.loads(line)
            if name == "diary-bytes":
                found = {"measure": name} | extra()
            record({"part": "product", "round": turn} | found)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def measure(runs, quick, socket_path, work, wanted, record):
    """Each measure of each round has its own account with an empty diary."""
    names = [name for name in MEASURES if wanted(f"product/{name}")]
    with product.Daemon(socket_path, work):
        people = iter(product.enrol(socket_path, runs * len(MEASURES)))
        for turn in range(runs):
            for name in names:
                token, user, _ = next(people)
                # In one word: a token may begin with a hyphen.
                account = [f"--token={token}", "--user", user]
                server = ["--socket", socket_path, *account]
                if name == "diary-peer":
                    calendars.measure(turn, quick, work, record)
                elif name == "diary-save":
                    run(name, turn, work, ["save", "--count", 200 if quick else 2_000], record)
                elif name == "diary-month":
                    run(name, turn, work, ["list", *server, *(["--entries", 1_000] if quick else [])], record)
                elif name.startswith("diary-first-"):
                    run(name, turn, work, ["first-sync", *server, "--entries", name.rsplit("-", 1)[1]], record)
                elif name == "diary-live":
                    run(name, turn, work, ["live", *server, "--count", 50 if quick else 300], record)
                else:
                    count_bytes(turn, work, socket_path, account, record)


def count_bytes(turn, work, socket_path, account, record):
    """The bytes of a change on the wire: for the device that makes it, and for the one that receives it."""
    paths = [f"{socket_path}{number}" for number in (1, 2)]
    with Relay(paths[0], socket_path) as writer, Relay(paths[1], socket_path) as reader:
        run(
            "diary-bytes", turn, work, ["live", "--socket", ",".join(paths), *account, "--count", CHANGES], record,
            lambda: {
                "writer_bytes": (writer.sent + writer.received) / CHANGES, "reader_bytes": (reader.sent + reader.received) / CHANGES})
