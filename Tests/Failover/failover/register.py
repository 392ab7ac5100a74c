"""A profile's status message as a register: one client writes numbers into it, others read it, and the history is checked."""
import json
import random
import threading
import time

from failover.load import PROFILE, Client


class Register:
    """One register. Its writer counts up, and repeats each number with the same request id until it is acknowledged. Readers ask either server for
    the latest value.

    The history is linearizable if all its calls have an order that agrees with the clock and in which each read returns the newest write. With one
    writer that writes one value at a time, this means three conditions for each read (`verify`). """

    READERS = 2
    PATIENCE = 90

    def __init__(self, number, servers, programs, home):
        self.client = Client(servers, programs, home, f"register{number}")
        self.user = self.client.enter(f"register{number}")
        self.random = random.Random(number)
        # For each number: when its first attempt began, and when it was acknowledged.
        self.writes = []
        # Beginning, end, number.
        self.reads = []
        self.problems = []
        self.ends = threading.Event()
        self.threads = [threading.Thread(target=self.write, daemon=True)]
        self.threads += [threading.Thread(target=self.read, args=(random.Random(10 * number + i),), daemon=True) for i in range(self.READERS)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.ends.set()
        for thread in self.threads:
            thread.join()

    def write(self):
        while not self.ends.is_set() and not self.problems:
            number = len(self.writes) + 1
            write = [time.monotonic(), None]
            self.writes.append(write)
            while write[1] is None:
                done, _ = self.client.call(
                    self.random.choice(self.client.servers), f"{PROFILE}/UpdateProfile", profile={"statusMessage": str(number)},
                    updateMask="statusMessage", requestId=f"n{number}")
                if done:
                    write[1] = time.monotonic()
                elif time.monotonic() - write[0] > self.PATIENCE:
                    self.problems.append(f"the number {number} was not acknowledged for {self.PATIENCE} s")
                    return
                else:
                    time.sleep(0.1)
            time.sleep(0.05)

    def read(self, source):
        while not self.ends.is_set():
            begin = time.monotonic()
            done, words = self.client.call(source.choice(self.client.servers), f"{PROFILE}/GetProfile", userId=self.user)
            if done:
                self.reads.append((begin, time.monotonic(), int(json.loads(words).get("statusMessage") or 0)))
            time.sleep(0.05)

    def verify(self):
        if not self.reads or not any(write[1] for write in self.writes):
            self.problems.append(f"{len(self.reads)} reads and {len(self.writes)} writes: there is nothing to check")
        reads = sorted(self.reads, key=lambda read: read[1])
        for index, (begin, end, number) in enumerate(reads):
            acknowledged = max((n for n, write in enumerate(self.writes, 1) if write[1] is not None and write[1] < begin), default=0)
            begun = max((n for n, write in enumerate(self.writes, 1) if write[0] <= end), default=0)
            # Compare with reads that had ended before this one began. It must not return less than they did.
            seen = max((earlier[2] for earlier in reads[:index] if earlier[1] < begin), default=0)
            if not acknowledged <= number <= begun:
                self.problems.append(f"a read from {begin:.3f} to {end:.3f} gave {number}: {acknowledged} was acknowledged before it, {begun} begun")
            if number < seen:
                self.problems.append(f"a read from {begin:.3f} to {end:.3f} gave {number} after another one had given {seen}")
