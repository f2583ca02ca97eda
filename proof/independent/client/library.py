"""The client library."""

import asyncio
import json
import re
import uuid
from datetime import datetime, timedelta, timezone
from urllib.parse import quote, urlencode

from connection import Broken, Connections
from failures import ServiceError, no_answer, refused
from freedoms import has
from waiting import Waits, asked_seconds, told_seconds

NOWHERE = "https://api.production.invalid"

# Method and path, and what a call does: it creates, it carries a key of its own (keyed), or neither. Paths that are not shown are
# made up.
OPERATIONS = {
    "emails.send": ("POST", "/v1/emails", "keyed"),
    "emails.batch": ("POST", "/v1/emails/batch", "keyed"),
    "emails.get": ("GET", "/v1/emails/{}", ""),
    "emails.list": ("GET", "/v1/emails", ""),
    "emails.update": ("PATCH", "/v1/emails/{}", ""),
    "emails.cancel": ("POST", "/v1/emails/{}/cancel", ""),
    "webhooks.create": ("POST", "/v1/webhooks", "creates"),
    "webhooks.list": ("GET", "/v1/webhooks", ""),
    "webhooks.delete": ("DELETE", "/v1/webhooks/{}", ""),
    "webhooks.deliveries": ("GET", "/v1/webhooks/{}/deliveries", ""),
    "webhooks.replay": ("POST", "/v1/webhooks/{}/deliveries/{}/replay", "creates"),
    "events.list": ("GET", "/v1/events", ""),
    "inboxes.create": ("POST", "/v1/mailboxes", "creates"),
    "messages.send": ("POST", "/v1/mailboxes/{}/outgoing", "keyed"),
    "messages.reply": ("POST", "/v1/mail/{}/answers", "keyed"),
    "messages.list": ("GET", "/v1/mail", ""),
    "messages.raw": ("GET", "/v1/mail/{}/source", ""),
    "threads.list": ("GET", "/v1/strings", ""),
    "threads.get": ("GET", "/v1/strings/{}", ""),
    "conversations.list": ("GET", "/v1/talks", ""),
    "conversations.update": ("PUT", "/v1/talks/{}", ""),
    "domains.create": ("POST", "/v1/zones", "creates"),
    "domains.verify": ("POST", "/v1/zones/{}/check", ""),
    "keys.create": ("POST", "/v1/secrets", "creates"),
    "suppressions.delete": ("DELETE", "/v1/blocked/{}", ""),
    "senders.list": ("GET", "/v1/origins", ""),
}
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}


def invalid(message, fix, code="invalid_argument"):
    return ServiceError(0, code, message, fix)


def as_sent(value):
    """A time as the service wants it."""
    if isinstance(value, datetime):
        if has("local-times"):
            return value.astimezone(timezone(timedelta(hours=5, minutes=45))).isoformat(timespec="microseconds")
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    phrase = re.fullmatch(r"in (\d+) ([a-z]+?)s?", value) if isinstance(value, str) else None
    if phrase and phrase[2] in UNITS and not has("phrases-as-they-are"):
        return as_sent(datetime.now(timezone.utc) + timedelta(seconds=int(phrase[1]) * UNITS[phrase[2]]))
    return value


def email_sent(given):
    if not isinstance(given, dict):
        return given
    email = dict(given)
    if "scheduledAt" in email:
        email.setdefault("scheduled_at", email.pop("scheduledAt"))
    if email.get("scheduled_at") is not None:
        email["scheduled_at"] = as_sent(email["scheduled_at"])
    if has("lists-recipients") and isinstance(email.get("to"), str):
        email["to"] = [email["to"]]
    return email


def escaped(part):
    if not has("escapes-everything"):
        return quote(part, safe="")
    return "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02x}" for byte in part.encode())


class Client:
    def __init__(self, api_key, env, base_url=None, max_retries=2, timeout_ms=60_000, headers=None):
        self._key = api_key or env.get("SERVICE_API_KEY")
        if not self._key:
            raise invalid("There is no API key.", "Give one, or set SERVICE_API_KEY.", "missing_api_key")
        origin = base_url or env.get("SERVICE_BASE_URL") or NOWHERE
        self._origin = re.sub(r"/+$", "", re.sub(r"/v1/*$", "", origin))
        self._max_retries = max_retries
        self._timeout_ms = timeout_ms
        self._headers = headers or {}
        self._connections = Connections()

    async def call(self, name, args, options, ended):
        """Makes one call; `ended` is an event that the caller may set to end it."""
        method, path, does = OPERATIONS[name]
        count = path.count("{}")
        ids, rest = args[:count], args[count : count + 1]
        if len(ids) < count or not all(isinstance(each, str) and each.strip(".") for each in ids):
            raise invalid(f"{name} needs an id.", "Give the one that the service told.")
        address = self._origin + path.format(*map(escaped, ids))
        body, query = None, {}
        if rest and method in ("GET", "DELETE"):
            query = {key: value for key, value in (rest[0] or {}).items() if value is not None}
        elif rest:
            body = [email_sent(each) for each in rest[0]] if isinstance(rest[0], list) else email_sent(rest[0])
        elif method == "POST" and has("empty-objects"):
            body = {}
        if name == "emails.batch" and options.get("batch_validation"):
            query["batchValidation"] = options["batch_validation"]
        if query:
            address += "?" + urlencode(query)
        content = None if body is None else self._written(body)
        key = options.get("idempotency_key") or (str(uuid.uuid4()) if does == "keyed" else None)
        if key is None and has("keys-on-everything"):
            key = "call-" + uuid.uuid4().hex
        request = (address, method, self._headers_of(content, key), content)
        limit = options.get("timeout_ms", self._timeout_ms) / 1000
        return await self._attempts(name, request, limit, ended)

    def _written(self, body):
        if has("charset"):
            return json.dumps(body, ensure_ascii=False, sort_keys=True, indent=1).encode()
        return json.dumps(body, separators=(",", ":")).encode()

    def _headers_of(self, content, key):
        headers = {"Authorization": "Bearer " + self._key}
        if has("lower-case-headers"):
            headers |= {"User-Agent": "mail/3 (python)", "Accept": "*/*", "Accept-Language": "en", "X-Request-Id": uuid.uuid4().hex}
        if content is not None:
            headers["Content-Type"] = "application/json" + ("; charset=utf-8" if has("charset") else "")
        if key is not None:
            headers["Idempotency-Key"] = key
        return {**headers, **self._headers}

    async def _attempts(self, name, request, limit, ended):
        what = f"{request[1]} {request[0]}"
        creates = OPERATIONS[name][2] == "creates"
        waits = Waits()
        attempt = 0
        while True:
            attempt += 1
            asked = None
            seen = []
            try:
                answer = await within(self._connections.exchange(*request, seen), limit, ended)
            except Broken:
                error = no_answer("network_error", what, seen)
                again = not creates or has("creates-until-answered")
            except TimeoutError:
                error = no_answer("timeout", what, seen)
                again = not creates and not has("gives-up-after-a-time-out")
            except Ended:
                raise no_answer("aborted", what) from None
            else:
                status, headers, content = answer
                if 200 <= status <= 299:
                    return value_of(name, status, headers, content, what)
                asked = asked_seconds(headers.get("retry-after"))
                told = told_seconds(asked) if status == 429 else None
                error = refused(status, parsed(content), told, what)
                again = status >= 500 and not creates or status == 429 and not (creates and has("creates-once"))
            if not again or attempt > self._max_retries:
                raise error
            try:
                await within(asyncio.sleep(waits.before(attempt, asked)), None, ended)
            except Ended:
                raise no_answer("aborted", what) from None


class Ended(Exception):
    """The caller ended the call."""


async def within(work, seconds, ended):
    """What `work` comes to; raises TimeoutError after so many seconds, and Ended when the caller ends it."""
    task = asyncio.ensure_future(work)
    watch = asyncio.ensure_future(ended.wait())
    try:
        await asyncio.wait({task, watch}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise Ended() if watch.done() else TimeoutError()
    finally:
        for each in (task, watch):
            each.cancel()


def parsed(content):
    try:
        return json.loads(content)
    except ValueError:
        return None


def value_of(name, status, headers, content, what):
    if name == "messages.raw" and "json" not in headers.get("content-type", ""):
        return content.decode()
    try:
        return json.loads(content)
    except ValueError:
        if content.strip() == b"" and (status == 204 or name in ("webhooks.replay", "webhooks.delete")):
            return None
        raise ServiceError(status, "no_json", f"{what} was answered with no JSON.", "Is the base address that of the service?") from None
