"""One attempt: a POST over TLS to an address that was checked."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import os
import ssl

from egress import assert_loopback

MOST_BYTES = 65_536
SNIPPET = 500
_contexts = {}


def context_for(authorities):
    key = tuple(authorities)
    if key not in _contexts:
        context = ssl.create_default_context()
        context.verify_flags |= ssl.VERIFY_X509_STRICT  # As the default is from Python 3.13 on.
        for pem in authorities:
            context.load_verify_locations(cadata=pem)
        _contexts[key] = context
    return _contexts[key]


def signature(secret, signed):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def headers_for(target, event_id, seconds, body, secret):
    """Signed twice, as after a change of keys: with one that nobody has any more, and with the webhook's."""
    signed = f"{event_id}.{seconds}.".encode() + body
    retired = base64.b64encode(os.urandom(24)).decode()
    return (
        f"POST {target.path} HTTP/1.1\r\nHost: {target.host_header}\r\n"
        f"WEBHOOK-ID: {event_id}\r\nWEBHOOK-TIMESTAMP: {seconds}\r\n"
        f"WEBHOOK-SIGNATURE: {signature(retired, signed)} {signature(secret, signed)}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        "Accept-Encoding: identity\r\nConnection: close\r\n\r\n"
    ).encode("latin-1")


async def post(target, address, authorities, head, body):
    """Returns the status and the first characters of the body, once the body is there; raises where they do not come."""
    assert_loopback(address)
    reader, writer = await asyncio.open_connection(
        str(address), target.port, ssl=context_for(authorities), server_hostname=target.host.removesuffix(".")
    )
    try:
        writer.write(head + body)
        await writer.drain()
        status, headers = await read_head(reader)
        while 100 <= status < 200:
            status, headers = await read_head(reader)
        text = b"" if status in (204, 304) else await read_body(reader, headers)
        return status, text.decode("utf-8", "replace")[:SNIPPET]
    finally:
        with contextlib.suppress(Exception):
            writer.transport.abort()


async def read_head(reader):
    line = (await reader.readline()).decode("latin-1").split(None, 2)
    if len(line) < 2 or not line[0].startswith("HTTP/1.") or not line[1].isdigit():
        raise ConnectionError("no HTTP")
    headers = {}
    while (field := (await reader.readline()).decode("latin-1")) not in ("\r\n", "\n"):
        if field == "" or len(headers) > 200:
            raise ConnectionError("the header does not end")
        name, _, value = field.partition(":")
        headers[name.strip().lower()] = value.strip()
    return int(line[1]), headers


async def read_body(reader, headers):
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return await read_chunks(reader)
    if "content-length" in headers:
        return await reader.readexactly(min(int(headers["content-length"]), MOST_BYTES))
    text = b""
    while len(text) < MOST_BYTES and (piece := await reader.read(MOST_BYTES)):
        text += piece
    return text


async def read_chunks(reader):
    text = b""
    while len(text) < MOST_BYTES:
        size = int((await reader.readline()).split(b";")[0], 16)
        if size == 0:
            break
        text += await reader.readexactly(min(size, MOST_BYTES))
        if size > MOST_BYTES:
            break
        await reader.readline()
    return text
