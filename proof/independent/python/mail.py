"""The sending API, and the mail server behind it, which takes a fifth of a second to take anything."""

import asyncio
import re
from datetime import datetime, timezone

from clock import real_ms
from deliveries import iso
from state import Email, number
from wire import Fault

QUEUE_MS = 200
ADDRESS = re.compile(r"[^\s@<>\",;]+@[^\s@<>\",;]+\.[^\s@<>\",;]+")
MOST_IN_BATCH = 100
OUTCOMES = {
    "delivered": ("delivered", "250 OK", "", False),
    "deferred": ("deferred", "421 later", "mailbox_busy", False),
    "bounced": ("bounced", "554 no", "unknown_user", True),
    "complained": ("complained", "feedback report", "", False),
    "failed": ("failed", "", "gave_up", True),
}


def wrong(message, fix="look at the field that is named"):
    return Fault(400, "invalid_email", message, fix)


def address_of(value, name):
    match = re.fullmatch(r"(?:[^<>]*<)?([^<>]+?)>?\s*", value) if isinstance(value, str) else None
    if match is None or not ADDRESS.fullmatch(match[1].strip()):
        raise wrong(f"{name} holds no address")
    return match[1].strip()


def addresses_of(value, name):
    values = value if isinstance(value, list) else [value]
    if not values:
        raise wrong(f"{name} is empty")
    return [address_of(each, name) for each in values]


def instant_of(value):
    if value is None:
        return None
    try:
        time = datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", value))
    except (TypeError, ValueError):
        raise wrong("scheduled_at is no ISO 8601 time") from None
    if time.tzinfo is None:
        raise wrong("scheduled_at has no zone")
    return round(time.astimezone(timezone.utc).timestamp() * 1000)


class Mail:
    def __init__(self, state, courier):
        self.state, self.courier = state, courier

    def check(self, project, value):
        """The email an item asks for. Raises Fault."""
        if not isinstance(value, dict):
            raise wrong("an email is an object")
        sender = address_of(value.get("from"), "from")
        domain = sender.rsplit("@", 1)[1].lower()
        if domain != project.domain:
            raise Fault(403, "sender_not_verified", f"{domain} is not yours", f"send from {project.domain}")
        to = addresses_of(value.get("to"), "to")
        cc = addresses_of(value["cc"], "cc") if value.get("cc") else []
        if not isinstance(value.get("subject"), str):
            raise wrong("subject is no text")
        if not isinstance(value.get("html"), str) and not isinstance(value.get("text"), str):
            raise wrong("neither html nor text")
        at = instant_of(value.get("scheduled_at"))
        status = "scheduled" if at is not None and at > project.workspace.clock.now() else "queued"
        return Email(f"msg_{number():08x}", f"thr_{number():08x}", sender, to, cc, value["subject"], status, at)

    def accept(self, project, email):
        project.emails[email.id] = email
        self.plan(project, email)
        return {"id": email.id}

    def plan(self, project, email):
        """By real time: the clock of the workspace moves deliveries, not mail."""
        waits = 0 if email.scheduled_at is None else max(0, email.scheduled_at - real_ms())
        planned = email.scheduled_at
        delay = min((waits + QUEUE_MS) / 1000, 30 * 86_400)

        def due():
            if email.status in ("queued", "scheduled") and email.scheduled_at == planned:
                self.hand_over(project, email)

        asyncio.get_running_loop().call_later(delay, due)

    def hand_over(self, project, email):
        if project.workspace.id not in self.state.workspaces:
            return
        if project.workspace.paused:
            project.workspace.held.append((project, email))
            return
        own = self.state.addresses.get(email.sender)
        base = {
            "message_id": email.id,
            "inbox_id": own[1].id if own is not None and own[0] is project else None,
            "thread_id": email.thread,
        }
        email.status = "sent"
        raised = {"to": email.to, "cc": email.cc, "subject": email.subject}
        self.courier.raise_event(project, "message.queued", {**base, **raised})
        for recipient in [*email.to, *email.cc]:
            self.arrive(project, email, base, recipient)

    def arrive(self, project, email, base, recipient):
        here = self.state.addresses.get(recipient)
        if here is not None:
            data = {"message_id": f"msg_{number():08x}", "inbox_id": here[1].id, "thread_id": f"thr_{number():08x}"}
            received = {**data, "from": email.sender, "subject": email.subject}
            self.courier.raise_event(here[0], "message.received", received)
        name, _, domain = recipient.partition("@")
        outcome = OUTCOMES.get(name) if domain == "simulator.example" else None
        status, response, bounce, permanent = outcome or OUTCOMES["delivered"]
        email.status = status
        more = {"response": response, "bounce_classification": bounce, "permanent": permanent, "status": status}
        self.courier.raise_event(project, f"message.{status}", {**base, "recipient": recipient, **more})

    def resume(self, workspace):
        held, workspace.held = workspace.held, []
        for project, email in held:
            self.hand_over(project, email)

    def batch(self, project, items, permissive):
        if not isinstance(items, list) or not items:
            raise wrong("a batch is a list of emails")
        if len(items) > MOST_IN_BATCH:
            raise wrong(f"{len(items)} emails are more than {MOST_IN_BATCH}")
        good, errors = [], []
        for index, item in enumerate(items):
            try:
                good.append(self.check(project, item))
            except Fault as fault:
                errors.append({"index": index, **fault.body["fault"]["detail"]})
        if errors and not permissive:
            raise Fault(422, "invalid_batch", "some emails are invalid", "mend them", errors=errors)
        data = [self.accept(project, email) for email in good]
        return {"data": data, "errors": errors} if errors else {"data": data}

    @staticmethod
    def shown(email):
        return {
            "id": email.id,
            "status": email.status,
            "recipients": [*email.to, *email.cc],
            "scheduled_at": None if email.scheduled_at is None else iso(email.scheduled_at),
            "subject": email.subject,
        }
