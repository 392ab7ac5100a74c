"""A simple service that could replace pulseboardd on PostgreSQL: asyncio (uvloop), psycopg's pool, a Unix socket, two processes.

    service.py SOCKET CONNINFO

It uses ttrpc, so that the same client can load both. It runs the same statements as pulseboardd, one after another, in one transaction for a follow.
It serves `Follow`, `GetProfile` by username and `ListFollowers` (the first page), and keeps tokens in memory after it has found them. It has no
limits, no page tokens, no events, no request ids, and must be alone on its database. """
import asyncio
import base64
import hashlib
import os
import socket
import struct
import sys
import time
import uuid

import psycopg_pool
import uvloop

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from harness.protobuf import field, fields, varint  # noqa: E402

PROCESSES = 2
CONNECTIONS = 8  # of each process

CALLER = "SELECT t.user_id, s.expire_time FROM session_token t JOIN session s ON s.user_id = t.user_id AND s.session_id = t.session_id WHERE t.token_hash = %s"
LOCK = "INSERT INTO owner (user_id, last_change) VALUES (%s, 1) ON CONFLICT (user_id) DO UPDATE SET last_change = owner.last_change + 1"
LEAVING = "SELECT number, withdraw_time FROM withdrawal WHERE user_id = %s AND is_over = 0"
STANDING = "SELECT p.number, c.last_event, c.event_count, c.events_until FROM profile p LEFT JOIN follow_count c ON c.number = p.number WHERE p.user_id = %s"
EDGE = "SELECT follow_time FROM following WHERE follower = %s AND followee = %s"
COUNT = "UPDATE follow_count SET followers = followers + %s, following = following + %s, last_event = %s, event_count = %s WHERE number = %s"
PROFILE = (
    "SELECT p.user_id, p.username, p.display_name, p.status_message, p.create_time, p.update_time "
    "FROM username u LEFT JOIN profile p ON p.user_id = u.user_id WHERE u.username_key = %s AND u.kind = 0")
FOLLOWERS = (
    "SELECT e.follow_time, e.follower, p.user_id, p.username, p.username_key, p.display_name, p.image_id "
    "FROM follower e LEFT JOIN profile p ON p.number = e.follower WHERE e.followee = (SELECT number FROM profile WHERE user_id = %s) "
    "ORDER BY e.follow_time DESC LIMIT %s")


def timestamp(microseconds):
    return varint(1 << 3) + varint(microseconds // 1_000_000) + varint(2 << 3) + varint(microseconds % 1_000_000 * 1_000)


def summary(user, username, display_name):
    return field(1, str(uuid.UUID(bytes=user))) + field(2, username) + field(3, display_name)


class Service:
    def __init__(self, pool):
        self.pool = pool
        self.callers = {}

    async def caller(self, token):
        if token not in self.callers:
            async with self.pool.connection() as connection:
                row = await (await connection.execute(CALLER, (hashlib.sha256(base64.urlsafe_b64decode(token + b"=")).digest(),))).fetchone()
            if row is None:
                raise LookupError("no session")
            self.callers[token] = row
        user, expire_time = self.callers[token]
        if expire_time < time.time() * 1e6:
            raise LookupError("the session has ended")
        return user

    async def answer(self, method, message, token):
        caller = await self.caller(token)
        request = fields(message)
        if method == b"Follow":
            return await self.follow(caller, uuid.UUID(request[1].decode()).bytes)
        if method == b"GetProfile":
            async with self.pool.connection() as connection:
                row = await (await connection.execute(PROFILE, (request[2].decode().lower(),))).fetchone()
            return summary(*row[:3]) + field(4, row[3]) + field(6, timestamp(row[4])) + field(7, timestamp(row[5]))
        if method == b"ListFollowers":
            async with self.pool.connection() as connection:
                rows = await (await connection.execute(FOLLOWERS, (uuid.UUID(request[1].decode()).bytes, request[2] + 1))).fetchall()
            return b"".join(field(1, field(1, summary(row[2], row[3], row[5])) + field(2, timestamp(row[0]))) for row in rows[:request[2]])
        raise LookupError("no such method")

    async def follow(self, follower, followee):
        now = int(time.time() * 1e6)
        async with self.pool.connection() as connection, connection.transaction():
            async def rows(sql, *values):
                return await (await connection.execute(sql, values)).fetchone()

            for user in sorted((follower, followee)):
                await connection.execute(LOCK, (user,))
            for user in (follower, followee):
                if await rows(LEAVING, user):
                    raise LookupError("withdrawn")
            one, other = await rows(STANDING, follower), await rows(STANDING, followee)
            if await rows(EDGE, one[0], other[0]) is None:
                await connection.execute(COUNT, (0, 1, one[1], one[2], one[0]))
                await connection.execute(COUNT, (1, 0, other[1], other[2], other[0]))
                await connection.execute("INSERT INTO following (follower, followee, follow_time) VALUES (%s, %s, %s)", (one[0], other[0], now))
                await connection.execute("INSERT INTO follower (followee, follow_time, follower) VALUES (%s, %s, %s)", (other[0], now, one[0]))
            back = await rows(EDGE, other[0], one[0])
            await connection.execute(
                "INSERT INTO operation (operation_id, create_time, is_void) VALUES (%s, %s, 0)", (uuid.uuid4().bytes, now))
        return field(1, str(uuid.UUID(bytes=followee))) + varint(2 << 3) + varint(2 if back is None else 3) + field(4, timestamp(now))


class Connection(asyncio.Protocol):
    def __init__(self, service):
        self.service = service
        self.buffer = bytearray()

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        at = 0
        while len(self.buffer) - at >= 10:
            length, stream, _, _ = struct.unpack_from(">IIBB", self.buffer, at)
            if len(self.buffer) - at - 10 < length:
                break
            asyncio.ensure_future(self.call(stream, bytes(self.buffer[at + 10:at + 10 + length])))
            at += 10 + length
        del self.buffer[:at]

    async def call(self, stream, body):
        request = fields(body)
        token = fields(request.get(5, b"")).get(2, b"").removeprefix(b"Bearer ")
        try:
            response = field(2, await self.service.answer(request.get(2, b""), request.get(3, b""), token))
        except LookupError as error:
            response = field(1, varint(1 << 3) + varint(5) + field(2, str(error)))
        except Exception as error:
            response = field(1, varint(1 << 3) + varint(13) + field(2, type(error).__name__))
        self.transport.write(struct.pack(">IIBB", len(response), stream, 2, 0) + response)


async def serve(listener, conninfo):
    async def prepare(connection):
        connection.prepare_threshold = 0

    async with psycopg_pool.AsyncConnectionPool(conninfo, min_size=CONNECTIONS, max_size=CONNECTIONS, configure=prepare, open=False) as pool:
        service = Service(pool)
        server = await asyncio.get_running_loop().create_unix_server(lambda: Connection(service), sock=listener)
        await server.serve_forever()


def main():
    path, conninfo = sys.argv[1:]
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    parent = os.getpid()
    for _ in range(PROCESSES - 1):
        if os.fork() == 0:
            # It ends with its parent.
            import ctypes
            import signal
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)
            break
    assert parent
    uvloop.run(serve(listener, conninfo))


main()
