"""The driver of the client (protocol: docs/contract.md, part 4): one JSON object a line, in and out.

python3 main.py [--with keeps-connections,full-jitter]
"""

import asyncio
import base64
import json
import sys
from datetime import datetime

import freedoms
from failures import ServiceError
from library import OPERATIONS, Client
from signatures import verify

clients = {}


def revived(value):
    """`{"$date": …}` stands for a date."""
    if isinstance(value, list):
        return [revived(each) for each in value]
    if isinstance(value, dict):
        if set(value) == {"$date"}:
            return datetime.fromisoformat(value["$date"].replace("Z", "+00:00"))
        return {name: revived(each) for name, each in value.items()}
    return value


def verified(delivery, now=None):
    return verify(base64.b64decode(delivery["payload_base64"]), delivery["headers"], delivery["secret"], now)


async def call(request):
    method, args = request["method"], revived(request.get("args", []))
    options = {name: value for name, value in request.get("options", {}).items() if value is not None}
    if method in ("verifyWebhook", "webhooks.verify"):
        return {"ok": True, "value": verified(args[0])}
    if method not in OPERATIONS:
        return {"unsupported": f"there is no method {method}"}
    ended = asyncio.Event()
    after_ms = options.get("abort_after_ms")
    timer = None
    if after_ms is not None and after_ms <= 0:
        ended.set()
    elif after_ms is not None:
        timer = asyncio.get_running_loop().call_later(after_ms / 1000, ended.set)
    try:
        return {"ok": True, "value": await clients[request["client"]].call(method, args, options, ended)}
    finally:
        if timer is not None:
            timer.cancel()


async def answer(request):
    try:
        match request["op"]:
            case "hello":
                return {"name": "independent client", "version": "1", "language": "python"}
            case "construct":
                options = {name: value for name, value in request.get("options", {}).items() if value is not None}
                clients[request["client"]] = Client(options.pop("api_key", None), request.get("env") or {}, **options)
                return {"ok": True}
            case "call":
                return await call(request)
            case "verify":
                return {"ok": True, "event": verified(request, request.get("now"))}
            case other:
                return {"unsupported": f"the driver does not know {other}"}
    except ServiceError as error:
        return {"ok": False, "error": error.fields}


async def serve(request):
    told = await answer(request)
    print(json.dumps({"id": request["id"], **told}), flush=True)


async def main():
    reader = asyncio.StreamReader(limit=2**26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    under_way = set()
    while line := await reader.readline():
        if not line.strip():
            continue
        task = asyncio.create_task(serve(json.loads(line)))
        if freedoms.has("one-at-a-time"):
            await task
            continue
        under_way.add(task)
        task.add_done_callback(under_way.discard)
    await asyncio.gather(*under_way)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--with"]:
        freedoms.choose([name for name in sys.argv[2].split(",") if name])
    asyncio.run(main())
