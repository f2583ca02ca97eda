"""HTTP/1.1 and WebSockets on asyncio streams."""

import asyncio
import base64
import hashlib
import json
import struct
from urllib.parse import parse_qs, unquote, urlsplit

MOST_BODY = 2_097_152
WEBSOCKET = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
REASONS = {101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content"}


class Fault(Exception):
    """An error of the interface: its fields stand two levels down."""

    def __init__(self, status, code, message, fix, **more):
        super().__init__(message)
        self.status = status
        self.body = {"fault": {"detail": {"code": code, "message": message, "fix": fix, **more}}}


class Request:
    def __init__(self, method, target, headers, body):
        parts = urlsplit(target)
        self.method, self.headers, self.body = method, headers, body
        self.path = unquote(parts.path)
        self.query = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}

    @property
    def json(self):
        try:
            return json.loads(self.body, parse_constant=lambda name: 1 / 0)
        except (ValueError, RecursionError, ZeroDivisionError):
            raise Fault(400, "malformed_json", "the body is not JSON", "send JSON") from None

    @property
    def object(self):
        value = self.json
        if not isinstance(value, dict):
            raise Fault(400, "wrong_type", "the body is not an object", "send an object")
        return value

    @property
    def is_upgrade(self):
        return self.headers.get("upgrade", "").lower() == "websocket" and "sec-websocket-key" in self.headers


async def read_request(reader, writer):
    """The next request of a connection; None at its end."""
    line = await reader.readline()
    if not line.strip():
        return None
    method, target, version = line.decode("latin-1").split()
    headers = {}
    while (field := (await reader.readline()).decode("latin-1").strip()) != "":
        name, _, value = field.partition(":")
        headers[name.lower()] = value.strip()
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    request = Request(method, target, headers, await read_body(reader, headers))
    request.keeps = version == "HTTP/1.1" and headers.get("connection", "").lower() != "close"
    return request


async def read_body(reader, headers):
    body, size = b"", int(headers.get("content-length", "0"))
    if headers.get("transfer-encoding", "").lower() == "chunked":
        while piece := int((await reader.readline()).split(b";")[0], 16):
            body += await reader.readexactly(piece)
            await reader.readline()
        await reader.readline()
        size = len(body)
    elif size <= MOST_BODY:
        body = await reader.readexactly(size)
    else:
        while size > 0 and (piece := await reader.read(min(size, 65_536))):
            size -= len(piece)
        size = MOST_BODY + 1
    return None if size > MOST_BODY else body


def write_answer(writer, status, value=None, headers=()):
    body = b"" if value is None else json.dumps(value).encode()
    head = [f"HTTP/1.1 {status} {REASONS.get(status, 'No')}"]
    if status != 204:
        head += [f"Content-Length: {len(body)}"]
    if value is not None:
        head += ["Content-Type: application/json"]
    writer.write(("\r\n".join([*head, *headers]) + "\r\n\r\n").encode("latin-1") + body)


class Stream:
    """The server's end of a WebSocket."""

    def __init__(self, reader, writer, accepts, encode):
        self.reader, self.writer, self.accepts, self.encode = reader, writer, accepts, encode

    def open(self, key):
        accept = base64.b64encode(hashlib.sha1(key.encode() + WEBSOCKET).digest()).decode()
        upgrade = ("Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Accept: {accept}")
        self.writer.write(("\r\n".join(["HTTP/1.1 101 Switching Protocols", *upgrade]) + "\r\n\r\n").encode())

    def show(self, event):
        if self.accepts(event) and not self.writer.is_closing():
            self.frame(0x1, self.encode(event))

    def frame(self, opcode, payload):
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, size)
        elif size < 65_536:
            head = struct.pack("!BBH", 0x80 | opcode, 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 127, size)
        self.writer.write(head + payload)

    async def serve(self):
        """Answers pings and the close, until the other side is gone."""
        while True:
            first, second = await self.reader.readexactly(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack("!H", await self.reader.readexactly(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
            if size > MOST_BODY or not second & 0x80:
                self.frame(0x8, struct.pack("!H", 1002))
                return
            mask = await self.reader.readexactly(4)
            masked = await self.reader.readexactly(size)
            payload = bytes(each ^ mask[index % 4] for index, each in enumerate(masked))
            if first & 0x0F == 0x8:
                self.frame(0x8, payload[:2])
                return
            if first & 0x0F == 0x9:
                self.frame(0xA, payload)


async def serve(handle, host="127.0.0.1"):
    """Serves `handle(request, reader, writer)`, which answers; returns the server."""

    async def connection(reader, writer):
        try:
            while request := await read_request(reader, writer):
                await handle(request, reader, writer)
                await writer.drain()
                if not request.keeps:
                    break
        except (OSError, ValueError, EOFError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    return await asyncio.start_server(connection, host, 0, limit=131_072, backlog=512)
