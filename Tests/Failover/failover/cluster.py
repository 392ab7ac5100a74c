"""A simulated cluster of three machines. Each has its own etcd, Patroni and PostgreSQL."""
import json
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import patroni
import psutil

NODES = (1, 2, 3)
# Seconds after which a silent leader is replaced. A change takes up to twice that and four seconds.
TTL = 10
# What runs on a node.
PROGRAMS = ("etcd", "patroni", "postgres")
# Seconds for which a cluster must look whole. After a node failed, Patroni shows it as running for some seconds.
STEADY = 4
# Seconds that a cluster may need to become whole.
LONGEST_SETTLING = 120
# Lines of each node's log that are printed when it does not.
LOG_LINES = 25


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def programs():
    """Debian has a folder for the programs of each version. The newest is used."""
    versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    if not versions or not shutil.which("etcd"):
        sys.exit("failover: PostgreSQL and etcd are missing: `Scripts/setup failover` installs Debian's postgresql and etcd-server")
    return versions[-1].parent


class Node:
    def __init__(self, cluster, number):
        self.cluster = cluster
        self.number = number
        self.folder = cluster.folder / f"n{number}"
        self.etcd_port, self.peer_port, self.rest_port, self.port = free_ports(4)
        self.processes = {}

    def configure(self):
        self.folder.mkdir()
        parameters = {
            "synchronous_commit": "on", "wal_log_hints": "on", "wal_keep_size": "64MB", "shared_buffers": "64MB", "max_connections": 100,
            "wal_sender_timeout": 5000, "wal_receiver_timeout": 5000,
        }
        users = {name: {"username": user, "password": "p"} for name, user in
                 (("superuser", "postgres"), ("replication", "standby"), ("rewind", "rewind"))}
        # JSON is valid YAML.
        (self.folder / "patroni.yml").write_text(json.dumps({
            "scope": "pulseboard", "name": f"n{self.number}",
            "restapi": {"listen": f"127.0.0.1:{self.rest_port}", "connect_address": f"127.0.0.1:{self.rest_port}"},
            # etcd's old interface. With the new one, an etcd before 3.4.31 or 3.5.13 that led and was frozen deletes the
            # keys of all others when it continues. The old primary then takes the lock back, without the writes since.
            "etcd": {"hosts": ",".join(f"127.0.0.1:{node.etcd_port}" for node in self.cluster.nodes)},
            "bootstrap": {
                "dcs": {
                    "ttl": TTL, "loop_wait": 1, "retry_timeout": 3, "primary_start_timeout": 0, "maximum_lag_on_failover": 0,
                    "synchronous_mode": "quorum", "synchronous_mode_strict": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": parameters},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}", "connect_address": f"127.0.0.1:{self.port}", "data_dir": str(self.folder / "data"),
                "bin_dir": str(self.cluster.programs), "pgpass": str(self.folder / "pgpass"),
                "pg_hba": ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
                "authentication": users, "parameters": {"unix_socket_directories": str(self.folder)},
            },
        }))

    def start(self):
        self.start_etcd()
        self.launch("patroni", [os.path.realpath(sys.executable), "-m", "patroni", str(self.folder / "patroni.yml")])

    def start_etcd(self):
        nodes = self.cluster.nodes
        self.launch("etcd", [
            "etcd", "--name", f"e{self.number}", "--data-dir", str(self.folder / "etcd"),
            "--listen-client-urls", f"http://127.0.0.1:{self.etcd_port}", "--advertise-client-urls", f"http://127.0.0.1:{self.etcd_port}",
            "--listen-peer-urls", f"http://127.0.0.1:{self.peer_port}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{self.peer_port}",
            "--initial-cluster", ",".join(f"e{node.number}=http://127.0.0.1:{node.peer_port}" for node in nodes),
            "--initial-cluster-state", "new", "--heartbeat-interval", "100", "--election-timeout", "1000", "--enable-v2",
        ])

    def launch(self, name, command):
        log = open(self.folder / f"{name}.log", "ab")
        self.processes[name] = subprocess.Popen(
            command, cwd="/", env={**os.environ, "PYTHONPATH": str(self.cluster.packages)}, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True, **self.cluster.identity)

    def everything(self, names=PROGRAMS):
        """The node's running processes, including PostgreSQL's, which have no parent here."""
        found = []
        for name in names:
            if name == "postgres":
                try:
                    pid = int((self.folder / "data/postmaster.pid").read_text().split()[0])
                    postmaster = psutil.Process(pid)
                    if "postgres" in postmaster.name():
                        found += [postmaster, *postmaster.children(recursive=True)]
                except (OSError, IndexError, ValueError, psutil.Error):
                    pass
            elif name in self.processes and self.processes[name].poll() is None:
                found.append(psutil.Process(self.processes[name].pid))
        return found

    def signal(self, number, names=PROGRAMS):
        for process in self.everything(names):
            try:
                process.send_signal(number)
            except psutil.NoSuchProcess:
                pass
        if number == signal.SIGKILL:
            for name in names:
                if name in self.processes:
                    self.processes[name].wait()

    def etcd_status(self):
        request = urllib.request.Request(f"http://127.0.0.1:{self.etcd_port}/v3/maintenance/status", data=b"{}", method="POST")
        with urllib.request.urlopen(request, timeout=2) as answer:
            return json.load(answer)

    def ask(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.rest_port}/{path}", timeout=1) as answer:
            return json.load(answer)


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.programs = programs()
        # A folder that every user can read.
        self.packages = folder / "packages"
        shutil.copytree(pathlib.Path(patroni.__file__).parent.parent, self.packages)
        self.identity = {}
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            self.identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        self.nodes = [Node(self, number) for number in NODES]

    def up(self):
        for node in self.nodes:
            node.configure()
        if self.identity:
            subprocess.run(["chown", "-R", "postgres", str(self.folder)], check=True)
        for node in self.nodes:
            node.start()
        self.settle()
        made = self.run_sql(self.leader(), "postgres", "CREATE DATABASE pulseboard TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
        if made.returncode != 0:
            sys.exit(f"failover: {made.stderr}")
        # One standby has confirmed it, and libpq asks no other host after one that lacks the database.
        end = time.monotonic() + LONGEST_SETTLING
        while any(self.run_sql(node, "pulseboard", "SELECT").returncode != 0 for node in self.nodes):
            if time.monotonic() > end:
                self.give_up("a node lacks the database")
            time.sleep(0.5)

    def run_sql(self, node, database, statement):
        address = f"host=127.0.0.1 port={node.port} user=postgres dbname={database}"
        return subprocess.run([str(self.programs / "psql"), "-qd", address, "-c", statement], capture_output=True, text=True)

    @property
    def address(self):
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://postgres@{hosts}/pulseboard?connect_timeout=2"

    def members(self):
        for node in self.nodes:
            try:
                return node.ask("cluster")["members"]
            except OSError:
                continue
        return []

    def leader(self):
        names = [each["name"] for each in self.members() if each["role"] == "leader"]
        return next((node for node in self.nodes if names == [f"n{node.number}"]), None)

    def settle(self):
        """Waits until all three have etcd and PostgreSQL, and both standbys confirm every commit, for some seconds without a break."""
        end = time.monotonic() + LONGEST_SETTLING
        since = None
        while time.monotonic() < end:
            if not self.is_whole():
                since = None
            elif since is None:
                since = time.monotonic()
            elif time.monotonic() - since >= STEADY:
                return
            time.sleep(0.5)
        self.give_up("the cluster is not whole")

    def give_up(self, problem):
        """Prints what each node believes, which may differ, and the end of its log. Then it ends the test."""
        for node in self.nodes:
            for name, ask in (("patroni", lambda: node.ask("cluster")["members"]), ("etcd", node.etcd_status)):
                try:
                    answer = ask()
                except (OSError, KeyError) as error:
                    answer = error
                print(f"n{node.number}'s {name}: {answer}", flush=True)
            for line in (node.folder / "patroni.log").read_text(errors="replace").splitlines()[-LOG_LINES:]:
                print(f"  {line}", flush=True)
        sys.exit(f"failover: {problem} after {LONGEST_SETTLING} s; the logs are in {self.folder}")

    def is_whole(self):
        members = self.members()
        running = [each for each in members if each.get("state") in ("running", "streaming")]
        standing = [each for each in members if "sync" in each["role"] or "quorum" in each["role"]]
        try:
            elected = {node.etcd_status()["leader"] for node in self.nodes}
        except (OSError, KeyError):
            return False
        return len(running) == len(NODES) and len(standing) == len(NODES) - 1 and len({each.get("timeline") for each in members}) == 1 and len(elected) == 1

    def etcd_leader(self):
        for node in self.nodes:
            status = node.etcd_status()
            if status["leader"] == status["header"]["member_id"]:
                return node
        return None

    def down(self):
        for node in self.nodes:
            node.signal(signal.SIGCONT)
            node.signal(signal.SIGKILL)
