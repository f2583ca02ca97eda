"""A whole service in Python's standard library, written from the interface alone.

Prints where it is as one line of JSON and serves until its standard input ends.
`--without clock,dns` withdraws capabilities of the control interface.
"""

import asyncio
import json
import os
import sys
import threading

from api import Api
from control import Control
from deliveries import Courier
from egress import Egress
from mail import Mail
from state import State
from wire import serve

CONTROL = "/control/v1"


async def main():
    without = sys.argv[sys.argv.index("--without") + 1].split(",") if "--without" in sys.argv else []
    state, egress = State(), Egress()
    courier = Courier(egress)
    mail = Mail(state, courier)
    api = Api(state, egress, courier, mail)
    control = Control(state, egress, courier, mail, without)
    home = state.create(1, 2).projects[0]

    async def handle(request, reader, writer):
        if request.path.startswith(CONTROL):
            await control.handle(request, request.path.removeprefix(CONTROL), writer)
        else:
            await api.handle(request, reader, writer)

    server = await serve(handle)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    facts = {
        "url": url,
        "apiKey": home.key,
        "controlUrl": url + CONTROL,
        "controlKey": control.key,
        "domain": home.domain,
        "inboxes": [{"id": box.id, "address": box.address, "apiKey": box.key} for box in home.inboxes],
    }
    print(json.dumps(facts), flush=True)
    await server.serve_forever()


def leave():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=leave, daemon=True).start()
asyncio.run(main())
