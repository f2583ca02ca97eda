"""HTTP/1.1 over streams: one request, one answer."""

import asyncio
from urllib.parse import urlsplit

from freedoms import has

LONGEST_LINE = 65_536


class Broken(Exception):
    """The connection failed; `is_stale` where it was used before and nothing of an answer came."""

    def __init__(self, is_stale=False):
        super().__init__("broken")
        self.is_stale = is_stale


class Connections:
    """Those of one client: a new one for each request, or kept ones."""

    def __init__(self):
        self._idle = {}

    async def exchange(self, address, method, headers, body, seen):
        """Status, headers by lower-case name, and body. The status is put into `seen` as soon as it is there."""
        url = urlsplit(address)
        place = (url.hostname, url.port or (443 if url.scheme == "https" else 80), url.scheme == "https")
        kept = self._idle.get(place, [])
        if kept:
            try:
                return await self._use(place, kept.pop(), True, seen, written(url, method, headers, body))
            except Broken as broken:
                if not broken.is_stale:
                    raise
        try:
            pair = await asyncio.open_connection(place[0], place[1], ssl=place[2] or None, limit=LONGEST_LINE)
        except OSError:
            raise Broken() from None
        return await self._use(place, pair, False, seen, written(url, method, headers, body))

    async def _use(self, place, pair, was_used, seen, request):
        reader, writer = pair
        is_whole = False
        head = None
        try:
            writer.write(request)
            await writer.drain()
            head = await read_head(reader)
            seen.append(head[0])
            content, stays = await read_body(reader, *head)
            is_whole = stays and has("keeps-connections")
            return head[0], head[1], content
        except (OSError, EOFError, ValueError):
            if head is not None and not 200 <= head[0] <= 299:
                return head[0], head[1], b""
            raise Broken(was_used and head is None) from None
        finally:
            if is_whole:
                self._idle.setdefault(place, []).append(pair)
            else:
                writer.close()


def written(url, method, headers, body):
    target = (url.path or "/") + ("?" + url.query if url.query else "")
    if has("absolute-targets"):
        target = f"{url.scheme}://{url.netloc}{target}"
    own = {"Host": url.netloc, **headers}
    if not has("keeps-connections"):
        own["Connection"] = "close"
    in_chunks = has("chunks") and body is not None
    if in_chunks:
        own["Transfer-Encoding"] = "chunked"
    elif body is not None or method in ("POST", "PATCH"):
        own["Content-Length"] = str(len(body or b""))
    spell = str.lower if has("lower-case-headers") else str
    lines = [f"{method} {target} HTTP/1.1"] + [f"{spell(name)}: {value}" for name, value in own.items()]
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
    if not in_chunks:
        return head + (body or b"")
    parts = [body[at : at + 100] for at in range(0, len(body), 100)]
    return head + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


async def line_of(reader):
    line = await reader.readuntil(b"\n")
    return line.rstrip(b"\r\n").decode("latin-1")


async def read_head(reader):
    while True:
        version, status, *_ = (await line_of(reader)).split(" ", 2)
        if not version.startswith("HTTP/1."):
            raise ValueError(version)
        headers = {}
        while line := await line_of(reader):
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        if int(status) >= 200:
            return int(status), headers


async def read_body(reader, status, headers):
    """The body, and whether the connection stays open behind it."""
    stays = headers.get("connection", "").lower() != "close"
    if status in (204, 304):
        return b"", stays
    if "chunked" in headers.get("transfer-encoding", "").lower():
        parts = []
        while size := int((await line_of(reader)).split(";")[0], 16):
            parts.append(await reader.readexactly(size))
            await reader.readexactly(2)
        while await line_of(reader):
            pass
        return b"".join(parts), stays
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"])), stays
    return await reader.read(), False
