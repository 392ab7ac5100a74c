"""Performs an attack: many connections, each with its own conversation, in one process of another uid."""
import errno
import json
import os
import resource
import select
import signal
import socket
import struct
import time

from .wire import HANG_UP, WithFile

READ = 1 << 18  # bytes
# Longest pause between two checks of what is due, in seconds.
TURN = 0.01


class Line:
    """One connection. It does what its conversation yields: sends bytes, waits for seconds, or hangs up."""

    def __init__(self, attack, index, facts):
        self.attack, self.index, self.facts = attack, index, facts
        self.socket, self.dials, self.closes = None, 0, 0
        self.opened_at = self.longest_open = 0.0
        self.resumes_at = 0.0
        self.hangs_up = False
        self.peers = []  # of files that were passed

    def dial(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.setblocking(False)
        try:
            self.socket.connect(self.facts.socket_path)
        except OSError as failure:
            self.socket.close()
            self.socket = None
            self.resumes_at = time.monotonic() + 0.01
            return failure.errno in (errno.EAGAIN, errno.EMFILE, errno.ENFILE)
        self.dials += 1
        self.opened_at = time.monotonic()
        self.talk = iter(self.attack.conversation(self.index, self.facts))
        self.waiting, self.is_over = memoryview(b""), False
        return True

    def was_closed(self, poll):
        """By the server, or by this side if it hangs up."""
        self.longest_open = max(self.longest_open, time.monotonic() - self.opened_at)
        self.closes += not self.hangs_up
        self.hangs_up = False
        poll.unregister(self.socket)
        self.socket.close()
        self.socket = None
        self.resumes_at = time.monotonic() + 0.002 if self.attack.redials else float("inf")

    def send(self, present):
        """False: the connection is over."""
        sent = 0
        while sent < READ and not self.is_over and present >= self.resumes_at:
            if not self.waiting:
                following = next(self.talk, None)
                if following is None:
                    self.is_over = True
                elif following is HANG_UP:
                    self.hangs_up = True
                    return False
                elif isinstance(following, bytes):
                    self.waiting = memoryview(following)
                elif isinstance(following, WithFile):
                    if not self.send_with_file(following):
                        return False
                else:
                    self.resumes_at = present + following
                continue
            try:
                count = self.socket.send(self.waiting[:READ])
            except BlockingIOError:
                return True
            except OSError:
                return False
            sent += count
            self.waiting = self.waiting[count:]
        return True

    def send_with_file(self, item):
        """False: the kernel does not pass the file (since Linux 6.16), or the server has closed the connection."""
        file, peer = slow_to_close(item.seconds)
        self.peers.append(peer)
        try:
            socket.send_fds(self.socket, [item.data], [file.fileno()])
            return True
        except OSError:
            file.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, bytes(8))  # so that this process need not wait
            return False
        finally:
            file.close()

    def receive(self):
        """False: the server has closed the connection."""
        try:
            return bool(self.socket.recv(READ))
        except BlockingIOError:
            return True
        except OSError:
            return False


def slow_to_close(seconds):
    """A socket whose last close waits, because there are bytes that its peer does not take. Its peer is returned too, and must stay open."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        listener.bind(("127.0.0.1", 0))
        listener.listen(1)
        file = socket.socket()
        file.connect(listener.getsockname())
        peer, _ = listener.accept()
    file.setblocking(False)
    try:
        while True:
            file.send(bytes(READ))
    except BlockingIOError:
        pass
    file.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, seconds))
    return file, peer


def prepared(attack, facts):
    return [Line(attack, index, facts) for index in range(attack.count(facts))]


def carry_out(attack, lines, until):
    """Attacks until an instant (monotonic), and returns what happened to the connections."""
    poll, by_descriptor = select.epoll(), {}
    failed_dials = 0
    while (present := time.monotonic()) < until:
        for line in lines:
            if line.socket is None and present >= line.resumes_at:
                if line.dial():
                    if line.socket is None:
                        failed_dials += 1
                        break  # the queue is full, for others too
                    # A connection that never reads is polled only for its end.
                    poll.register(line.socket, select.EPOLLIN | select.EPOLLRDHUP if attack.reads == "all" else select.EPOLLRDHUP)
                    by_descriptor[line.socket.fileno()] = line
        for descriptor, events in poll.poll(TURN / 10, 1024):
            line = by_descriptor[descriptor]
            alive = line.receive() if attack.reads == "all" else not events & (select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP)
            if line.socket is not None and not alive:
                line.was_closed(poll)
        idle = True
        for line in lines:
            if line.socket is None:
                continue
            if not line.is_over and present >= line.resumes_at:
                alive = line.send(present)
                idle = idle and not line.waiting
                if not alive:
                    line.was_closed(poll)
        if idle:
            time.sleep(TURN / 10)
    present = time.monotonic()
    open_now = [line for line in lines if line.socket is not None]
    return {
        "connections": len(lines), "dialled": sum(line.dials for line in lines), "closed": sum(line.closes for line in lines),
        "ever_closed": sum(line.closes > 0 for line in lines), "still_open": len(open_now), "failed_dials": failed_dials,
        "longest_open": max([line.longest_open for line in lines] + [present - line.opened_at for line in open_now])}


def fork_as(uid, work):
    """Runs `work` in a process of a uid. Returns its pid and the descriptor for its result in JSON."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    status = 1
    try:
        os.close(reading)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536),) * 2)
        if os.getuid() == 0 and uid:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
        result = json.dumps(work()).encode()
        while result:
            result = result[os.write(writing, result):]
        status = 0
    except BaseException as failure:  # the parent must get every failure
        os.write(writing, json.dumps({"error": f"{type(failure).__name__}: {failure}"}).encode())
    finally:
        os._exit(status)


def result_of(pid, reading):
    """Waits for a process of `fork_as`."""
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(text or b"{}")


def run_as(uid, work):
    return result_of(*fork_as(uid, work))
