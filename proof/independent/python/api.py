"""The routes below /v1."""

import asyncio
import base64
import os
import re
from datetime import datetime, timezone
from urllib.parse import urlsplit

from clock import real_ms
from deliveries import body_of, iso
from mail import instant_of
from state import Target, Webhook, number
from wire import Fault, Stream, write_answer

ANSWER_S = 0.015
PAGE_OF_WEBHOOKS = 10
ID = "([^/]+)"


def unknown(what):
    return Fault(404, "unknown", f"there is no such {what}", "check the id")


def offset_iso(ms):
    return datetime.fromtimestamp(ms / 1000, timezone.utc).isoformat(timespec="milliseconds")


def limit_of(query):
    """50 where none is asked for or none can be read; more than 100 is 100."""
    text = query.get("limit", "")
    if not re.fullmatch(r"\d{1,9}", text):
        return 50
    return min(max(int(text), 1), 100)


def target_of(value, egress):
    refused = Fault(400, "bad_url", "the url cannot be delivered to", "give an https:// url of a public host name")
    if not isinstance(value, str) or re.search(r"[\s\x00-\x20\\]", value):
        raise refused
    try:
        parts = urlsplit(value)
        host, port = parts.hostname or "", parts.port or 443
        host_header = parts.netloc
        (parts.path + parts.query).encode("ascii")
    except ValueError:
        raise refused from None
    if parts.scheme != "https" or "@" in parts.netloc or not egress.takes(host, port):
        raise refused
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(value, host, port, host_header, path)


class Api:
    def __init__(self, state, egress, courier, mail):
        self.state, self.egress, self.courier, self.mail = state, egress, courier, mail
        self.routes = [
            ("POST", "/v1/webhooks", self.create_webhook),
            ("GET", "/v1/webhooks", self.list_webhooks),
            ("DELETE", f"/v1/webhooks/{ID}", self.delete_webhook),
            ("GET", f"/v1/webhooks/{ID}/deliveries", self.list_deliveries),
            ("POST", f"/v1/webhooks/{ID}/deliveries/{ID}/replay", self.replay),
            ("GET", "/v1/events", self.poll),
            ("POST", "/v1/emails", self.send),
            ("POST", "/v1/emails/batch", self.send_batch),
            ("GET", "/v1/emails", self.list_emails),
            ("GET", f"/v1/emails/{ID}", self.get_email),
            ("PATCH", f"/v1/emails/{ID}", self.reschedule),
            ("POST", f"/v1/emails/{ID}/cancel", self.cancel),
        ]

    def caller(self, request, token=None):
        """The project and the inbox of a key: as Bearer, or as the user of Basic."""
        scheme, _, value = request.headers.get("authorization", "").partition(" ")
        key = value.strip() if scheme.lower() == "bearer" else token
        if scheme.lower() == "basic":
            try:
                key = base64.b64decode(value, validate=True).decode().split(":")[0]
            except ValueError:
                key = None
        if key not in self.state.keys:
            raise Fault(401, "unauthenticated", "no key, or one that does not exist", "send your API key")
        return self.state.keys[key]

    async def handle(self, request, reader, writer):
        if request.path == "/v1/events/ws" and request.is_upgrade:
            await self.stream(request, reader, writer)
            return
        status, value = await self.answer(request)
        await asyncio.sleep(ANSWER_S)
        headers = ("WWW-Authenticate: Bearer",) if status == 401 else ()
        write_answer(writer, status, value, headers)

    async def answer(self, request):
        try:
            project, inbox = self.caller(request)
            if request.body is None:
                raise Fault(413, "too_large", "the body is too large", "send less")
            fitting = [(verb, match, route) for verb, path, route in self.routes if (match := re.fullmatch(path, request.path))]
            for verb, match, route in fitting:
                if verb == request.method:
                    return route(request, project, inbox, *match.groups())
            if fitting:
                raise Fault(405, "method", f"not {request.method}", "use another method")
            raise unknown("path")
        except Fault as fault:
            return fault.status, fault.body

    def create_webhook(self, request, project, inbox):
        fields = request.object
        target = target_of(fields.get("url"), self.egress)
        types = fields.get("event_types")
        types = [] if types is None else types
        if not isinstance(types, list) or not all(isinstance(each, str) and each for each in types):
            raise Fault(400, "wrong_type", "event_types is no list of texts", "send a list of types")
        inbox_id = inbox.id if inbox is not None else fields.get("inbox_id")
        if inbox_id is not None and not isinstance(inbox_id, str):
            raise Fault(400, "wrong_type", "inbox_id is no text", "send an id or null")
        secret = "whsec_" + base64.b64encode(os.urandom(24)).decode()
        webhook = Webhook(f"whk_{number()}", target, types, inbox_id, secret)
        project.webhooks[webhook.id] = webhook
        return 201, {**self.shown(webhook), "secret": secret, "created_at": iso(real_ms())}

    @staticmethod
    def shown(webhook):
        return {
            "id": webhook.id,
            "url": webhook.target.url,
            "event_types": webhook.event_types,
            "inbox_id": webhook.inbox_id,
        }

    def list_webhooks(self, request, project, inbox):
        """In pages, the latest first; `cursor` is the `next_cursor` of the page before."""
        ids = [webhook.id for webhook in project.webhooks.values() if webhook.alive][::-1]
        cursor = request.query.get("cursor")
        start = ids.index(cursor) + 1 if cursor in ids else 0
        page = ids[start : start + PAGE_OF_WEBHOOKS]
        rest = ids[start + PAGE_OF_WEBHOOKS :]
        return 200, {
            "webhooks": [self.shown(project.webhooks[each]) for each in page],
            "next_cursor": page[-1] if rest else None,
        }

    def webhook(self, project, id_):
        """A deleted one is gone, and its history with it as far as anybody can see."""
        webhook = project.webhooks.get(id_)
        if webhook is None or not webhook.alive:
            raise unknown("webhook")
        return webhook

    def delete_webhook(self, request, project, inbox, id_):
        self.courier.remove(self.webhook(project, id_))
        return 204, None

    def list_deliveries(self, request, project, inbox, id_):
        latest = self.webhook(project, id_).deliveries[::-1][: limit_of(request.query)]
        return 200, {"result": {"deliveries": [self.shown_delivery(each) for each in latest]}}

    @staticmethod
    def shown_delivery(delivery):
        """Fields without a value are null, or zero and empty."""
        return {
            "id": delivery.id,
            "status": delivery.status,
            "attempt": delivery.attempt,
            "response_code": delivery.code,
            "response_body_snippet": delivery.snippet,
            "next_attempt_at": None if delivery.next_at is None else offset_iso(delivery.next_at),
            "replay_of": delivery.replay_of,
            "last_error": delivery.reason,
            "webhook-id": delivery.event.id,
        }

    def replay(self, request, project, inbox, id_, delivery_id):
        webhook = self.webhook(project, id_)
        for delivery in webhook.deliveries:
            if delivery.id == delivery_id:
                self.courier.deliver(project, webhook, delivery.event, replay_of=delivery.id)
                return 202, {"queued": True}
        raise unknown("delivery")

    def poll(self, request, project, inbox):
        after, limit = request.query.get("after", ""), limit_of(request.query)
        page = []
        for event in project.events:
            if len(page) == limit:
                break
            if event.id > after and self.is_seen(inbox, event):
                page.append(event)
        data = [
            {
                "id": event.id,
                "type": event.type,
                "org_id": project.org_id,
                "created_at": iso(event.at),
                "data": event.data,
                "sequence": int(event.id[4:]),
            }
            for event in page
        ]
        return 200, {"data": data, "next_after": page[-1].id if page else (after or None), "has_more": len(page) == limit}

    @staticmethod
    def is_seen(inbox, event):
        return inbox is None or event.inbox_id == inbox.id

    async def stream(self, request, reader, writer):
        try:
            project, inbox = self.caller(request, request.query.get("token"))
        except Fault as fault:
            write_answer(writer, fault.status, fault.body)
            return
        request.keeps = False
        stream = Stream(reader, writer, lambda event: self.is_seen(inbox, event), body_of)
        stream.open(request.headers["sec-websocket-key"])
        after = request.query.get("after")
        if after:
            for event in project.events:
                if event.id > after:
                    stream.show(event)
        project.streams.add(stream)
        try:
            await stream.serve()
        finally:
            project.streams.discard(stream)

    def once(self, request, project, work):
        """The first result under an idempotency key is the result, whatever is sent under it later."""
        name = request.headers.get("idempotency-key")
        if not name:
            return work()
        key = (request.path, name)
        if key not in project.results:
            project.results[key] = work()
        return project.results[key]

    def send(self, request, project, inbox):
        return self.once(request, project, lambda: (201, self.mail.accept(project, self.mail.check(project, request.json))))

    def send_batch(self, request, project, inbox):
        mode = request.query.get("batchValidation") or request.headers.get("batch-validation")
        return self.once(request, project, lambda: (201, self.mail.batch(project, request.json, mode == "permissive")))

    def email(self, project, id_):
        if id_ not in project.emails:
            raise unknown("email")
        return project.emails[id_]

    def get_email(self, request, project, inbox, id_):
        return 200, self.mail.shown(self.email(project, id_))

    def list_emails(self, request, project, inbox):
        ids, limit = list(project.emails), limit_of(request.query)
        cursor = request.query.get("cursor", "0")
        start = int(cursor) if re.fullmatch(r"\d{1,9}", cursor) else 0
        page, end = ids[start : start + limit], start + limit
        data = [self.mail.shown(project.emails[each]) for each in page]
        return 200, {"data": data, "next_cursor": str(end) if end < len(ids) else ""}

    def reschedule(self, request, project, inbox, id_):
        email, at = self.email(project, id_), instant_of(request.object.get("scheduled_at"))
        if at is None or email.status != "scheduled":
            raise Fault(400, "not_scheduled", "this cannot be rescheduled", "send scheduled_at while it is scheduled")
        email.scheduled_at = at
        self.mail.plan(project, email)
        return 202, {"object": "email", "id": id_}

    def cancel(self, request, project, inbox, id_):
        email = self.email(project, id_)
        if email.status != "scheduled":
            raise Fault(400, "not_scheduled", "it was sent", "cancel earlier")
        email.status = "cancelled"
        return 201, {"object": "email", "id": id_}
