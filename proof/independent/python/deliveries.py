"""From an event to its attempts."""

import asyncio
import json
from datetime import datetime, timezone

from attempt import headers_for, post
from egress import Blocked, Unknown
from state import Delivery, Event, event_id, number

DELAYS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000]


def iso(ms):
    text = datetime.fromtimestamp(ms // 1000, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{ms % 1000:03d}Z"


def body_of(event):
    """Everything beyond ASCII is escaped."""
    return json.dumps({"id": event.id, "type": event.type, "timestamp": iso(event.at), "data": event.data}).encode()


class Courier:
    def __init__(self, egress):
        self.egress = egress

    def raise_event(self, project, type_, data, id_=None):
        event = Event(id_ or event_id(), type_, project.workspace.clock.now(), data)
        project.events.append(event)
        for stream in list(project.streams):
            stream.show(event)
        for webhook in project.webhooks.values():
            if self.wants(webhook, event):
                self.deliver(project, webhook, event)
        return event

    @staticmethod
    def wants(webhook, event):
        types = webhook.event_types
        of_type = not types or "*" in types or event.type in types
        return webhook.alive and of_type and webhook.inbox_id in (None, event.inbox_id)

    def deliver(self, project, webhook, event, replay_of=None):
        delivery = Delivery(f"{webhook.id[4:]}-{number()}", event, replay_of)
        webhook.deliveries.append(delivery)
        clock = project.workspace.clock
        clock.at(clock.now(), lambda: self.begin(clock, webhook, delivery))
        return delivery

    def begin(self, clock, webhook, delivery):
        if webhook.alive:
            clock.fly(self.attempt(clock, webhook, delivery))

    async def attempt(self, clock, webhook, delivery):
        target, event = webhook.target, delivery.event
        code, snippet = 0, ""
        delivery.next_at = None
        try:
            address = self.egress.address_for(target.host, target.port)
            body = body_of(event)
            head = headers_for(target, event.id, clock.now() // 1000, body, webhook.secret)
            code, snippet = await post(target, address, self.egress.authorities, head, body)
        except Blocked:
            delivery.status, delivery.reason = "failed", "blocked_private_address"
            return
        except (Unknown, OSError, ValueError, EOFError, asyncio.CancelledError):
            pass  # No answer came.
        delivery.code, delivery.snippet = code, snippet
        if 200 <= code < 300:
            delivery.status = "succeeded"
        elif delivery.attempt > len(DELAYS):
            delivery.status = "failed"
        elif webhook.alive:
            self.retry_later(clock, webhook, delivery)

    def retry_later(self, clock, webhook, delivery):
        """So long after the end of this attempt."""
        delivery.next_at = clock.now() + DELAYS[delivery.attempt - 1]

        def again():
            delivery.attempt += 1
            self.begin(clock, webhook, delivery)

        clock.at(delivery.next_at, lambda: webhook.alive and again())

    @staticmethod
    def remove(webhook):
        """What waits for a retry stays pending, without a next attempt."""
        webhook.alive = False
        for delivery in webhook.deliveries:
            delivery.next_at = None
