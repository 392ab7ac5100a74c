"""Pictures of profiles: how many are decoded and stored a second, how much memory the server and its decoder use, and how fast they are read.

ImageMagick makes the pictures: fractal clouds, which compress as badly as photographs do."""
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from . import loads, places, product
from .product import PROFILE, enrol
from .protobuf import field, varint
from .ttrpc import Client

IMAGES = "pulseboard.profile.v1.ProfileImageService"
# Width and height, and the number of uploads in one round.
UPLOADS = {"upload-400px": ("400x400", 200), "upload-12mp": ("4000x3000", 16)}
# `GetProfileImageRequest.Size`.
READS = {"image-96": 1, "image-400": 2}
# At most two are decoded at a time; the others wait.
SENDERS = 4


def make(path, size):
    subprocess.run(["convert", "-size", size, "-seed", "1", "plasma:fractal", "-quality", "90", path], check=True)
    with open(path, "rb") as file:
        return file.read()


def upload(client, picture, token):
    """The id of the staged picture."""
    parts = [field(1, varint(1 << 3) + varint(len(picture)))]
    parts += [field(2, picture[at:at + (64 << 10)]) for at in range(0, len(picture), 64 << 10)]
    return client.send_stream(IMAGES, "UploadProfileImage", parts, token)[1].decode()


def rounds(people, socket_path, picture, count):
    """Seconds for `count` uploads by several people at once. A user uploads one picture at a time."""
    def send(person):
        with Client(socket_path) as client:
            for _ in range(count // SENDERS):
                upload(client, picture, person[0])

    begin = time.monotonic()
    with ThreadPoolExecutor(SENDERS) as pool:
        list(pool.map(send, people[:SENDERS]))
    return time.monotonic() - begin


def peak_bytes(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))


def decoder_peak_bytes(path):
    """The peak memory of the decoding program for one picture."""
    with open(path, "rb") as picture:
        process = subprocess.Popen([places.product("pulseboard-image")], stdin=picture, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss << 10


def measure(runs, seconds, socket_path, work, wanted, record):
    chosen = [name for name in (*UPLOADS, *READS) if wanted(f"product/{name}")]
    if not chosen:
        return
    with product.Daemon(socket_path, work) as running:
        people = enrol(socket_path, SENDERS)
        for name in (name for name in UPLOADS if name in chosen):
            size, count = UPLOADS[name]
            path = os.path.join(work, name + ".jpg")
            picture = make(path, size)
            before = peak_bytes(running.pid)
            for turn in range(runs):
                cpu = running.cpu_seconds()
                elapsed = rounds(people, socket_path, picture, count)
                record({
                    "part": "product", "measure": name, "round": turn, "bytes": len(picture), "calls_per_second": count / elapsed,
                    "server_cpu_us": (running.cpu_seconds() - cpu) * 1e6 / count, "server_peak_bytes": peak_bytes(running.pid),
                    "server_rise_bytes": peak_bytes(running.pid) - before, "decoder_peak_bytes": decoder_peak_bytes(path)})
        token, user, _ = people[0]
        with Client(socket_path) as client:
            image = upload(client, make(os.path.join(work, "read.jpg"), "1200x1200"), token)
            # Mask and picture of UpdateProfileRequest.
            client.call(PROFILE, "UpdateProfile", field(2, field(1, "image")) + field(4, image), token)
        for turn in range(runs):
            for name in (name for name in READS if name in chosen):
                message = field(1, user) + varint(2 << 3) + varint(READS[name])
                product.keep(record, name, turn, lambda: loads.generator(running, [
                    "--connections", 1, "--in-flight", 64, "--seconds", seconds, "--warm-up", seconds / 5,
                    "--metadata", f"authorization:Bearer {token}", "--service", IMAGES, "--method", "GetProfileImage",
                    "--message", message.hex()]))
