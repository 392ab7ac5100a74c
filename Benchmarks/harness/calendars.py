"""A diary with calendar standards: each entry is an iCalendar file (VJOURNAL) on a CalDAV server (Radicale), and vdirsyncer synchronises it with a
folder. Both are Debian's. It is a present-day way to have a diary on several devices and on one's own server."""
import os
import shutil
import socket
import subprocess
import sys
import time
import uuid

from . import loads

# The number of entries. Each is a separate request.
ENTRIES, QUICK_ENTRIES = 500, 50
HOST, PORT = "127.0.0.1", 5232
ADDRESS = f"{HOST}:{PORT}"
ENTRY = (
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//benchmark//EN\r\nBEGIN:VJOURNAL\r\nUID:{uid}\r\nDTSTAMP:20261123T040000Z\r\nDTSTART:20261123T040000Z\r\n"
    "SUMMARY:calm\r\nDESCRIPTION:{number} {text}\r\nEND:VJOURNAL\r\nEND:VCALENDAR\r\n")


def is_there():
    return shutil.which("radicale") is not None and shutil.which("vdirsyncer") is not None


class Device:
    """A folder of entries, and vdirsyncer's state of it."""

    def __init__(self, work, name):
        self.folder, self.work, self.name = os.path.join(work, name, "entries"), work, name
        os.makedirs(self.folder)
        self.configuration = os.path.join(work, name, "configuration")
        with open(self.configuration, "w", encoding="ascii") as file:
            file.write(
                f'[general]\nstatus_path = "{os.path.join(work, name, "status")}"\n'
                '[pair diary]\na = "folder"\nb = "server"\ncollections = null\n'
                f'[storage folder]\ntype = "filesystem"\npath = "{self.folder}"\nfileext = ".ics"\n'
                f'[storage server]\ntype = "caldav"\nurl = "http://{ADDRESS}/minji/diary/"\nitem_types = ["VJOURNAL"]\nusername = "minji"\npassword = "x"\n')
        self.run("discover")

    def run(self, *words):
        begin = time.monotonic()
        loads.run(["vdirsyncer", "--verbosity", "ERROR", "--config", self.configuration, *words])
        return time.monotonic() - begin

    def synchronize(self):
        return self.run("sync")

    def count(self):
        return len(os.listdir(self.folder))


def wait_until_it_listens():
    for _ in range(100):
        try:
            return socket.create_connection((HOST, PORT), timeout=1).close()
        except OSError:
            time.sleep(0.1)
    raise loads.LoadFailed("radicale does not listen")


def measure(turn, quick, work, record):
    """A first synchronisation in both directions, and one change."""
    if not is_there():
        return print("  product/diary-peer: radicale or vdirsyncer is not installed", file=sys.stderr)
    work = os.path.join(work, "calendars")
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "store", "collection-root", "minji", "diary"))
    with open(os.path.join(work, "store", "collection-root", "minji", "diary", ".Radicale.props"), "w", encoding="ascii") as file:
        file.write('{"tag": "VCALENDAR", "C:supported-calendar-component-set": "VJOURNAL"}')
    server = subprocess.Popen(
        ["radicale", "--config", "", "--server-hosts", ADDRESS, "--auth-type", "none", "--storage-filesystem-folder", os.path.join(work, "store")],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_it_listens()
        entries = QUICK_ENTRIES if quick else ENTRIES
        writer, reader = Device(work, "writer"), Device(work, "reader")
        for number in range(entries):
            write(writer, number)
        upload, download = writer.synchronize(), reader.synchronize()
        if reader.count() != entries:
            raise loads.LoadFailed(f"calendars: {reader.count()} entries of {entries} arrived")
        write(writer, entries)
        change = writer.synchronize() + reader.synchronize()
        record({
            "part": "product", "measure": "diary-peer", "round": turn, "uploaded_per_second": entries / upload,
            "downloaded_per_second": entries / download, "p50_us": change * 1e6})
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(work, ignore_errors=True)


def write(device, number):
    uid = str(uuid.uuid4())
    with open(os.path.join(device.folder, uid + ".ics"), "w", encoding="utf-8", newline="") as file:
        file.write(ENTRY.format(uid=uid, number=number, text="오늘은 비가 왔다. " * 9))
