"""The control interface of a test deployment."""

import re
import secrets

from deliveries import iso
from state import event_id
from wire import Fault, write_answer

CAPABILITIES = ["workspaces", "events", "sending", "clock", "dns", "egress"]


def wrong(field):
    return Fault(400, "wrong_field", f"{field} has the wrong type", "look at the control interface")


def is_texts(value):
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def whole(value, field, least):
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise wrong(field)
    return value


class Control:
    def __init__(self, state, egress, courier, mail, without):
        self.state, self.egress, self.courier, self.mail = state, egress, courier, mail
        self.offered = [each for each in CAPABILITIES if each not in without]
        self.key = secrets.token_urlsafe(24)
        self.routes = [
            ("workspaces", "POST", "/workspaces", self.create),
            ("workspaces", "DELETE", "/workspaces/([^/]+)", self.drop),
            ("events", "POST", "/events", self.raise_event),
            ("sending", "POST", "/workspaces/([^/]+)/sending", self.set_sending),
            ("clock", "POST", "/workspaces/([^/]+)/clock", self.advance),
            ("dns", "POST", "/dns", self.set_answers),
            ("egress", "POST", "/egress", self.exempt),
        ]

    async def handle(self, request, path, writer):
        try:
            if request.headers.get("authorization") != f"Bearer {self.key}":
                raise Fault(401, "unauthenticated", "no control key", "send it as Bearer")
            status, value = await self.answer(request, path)
        except Fault as fault:
            status, value = fault.status, fault.body
        write_answer(writer, status, value)

    async def answer(self, request, path):
        if request.method == "GET" and path in ("", "/"):
            name = {"control": 1, "name": "independent (python)", "version": "1"}
            return 200, {**name, "capabilities": self.offered}
        for capability, method, pattern, route in self.routes:
            match = re.fullmatch(pattern, path)
            if match and method == request.method and capability in self.offered:
                return await route(request, *match.groups())
        raise Fault(404, "unknown", "there is no such control", "look at the capabilities")

    def workspace(self, id_):
        if id_ not in self.state.workspaces:
            raise Fault(404, "unknown", "there is no such workspace", "create one")
        return self.state.workspaces[id_]

    async def create(self, request):
        fields = request.object
        workspace = self.state.create(
            whole(fields.get("projects", 1), "projects", 1), whole(fields.get("inboxes", 0), "inboxes", 0)
        )
        projects = [
            {
                "org_id": project.org_id,
                "api_key": project.key,
                "domain": project.domain,
                "inboxes": [{"id": box.id, "address": box.address, "api_key": box.key} for box in project.inboxes],
            }
            for project in workspace.projects
        ]
        return 201, {"workspace_id": workspace.id, "projects": projects}

    async def drop(self, request, id_):
        self.state.drop(self.workspace(id_))
        return 204, None

    async def raise_event(self, request):
        fields = request.object
        org_id, type_, data = fields.get("org_id"), fields.get("type"), fields.get("data")
        if not isinstance(org_id, str) or not isinstance(type_, str) or not isinstance(data, dict):
            raise wrong("org_id, type or data")
        if org_id not in self.state.orgs:
            raise Fault(404, "unknown", "there is no such org", "create a workspace")
        return 201, {"id": self.courier.raise_event(self.state.orgs[org_id], type_, data).id}

    async def set_sending(self, request, id_):
        """One id for the event in all projects."""
        workspace, fields = self.workspace(id_), request.object
        status = fields.get("status")
        if status not in ("paused", "active"):
            raise wrong("status")
        workspace.paused = status == "paused"
        data = {"workspace_id": workspace.id, "status": status}
        if workspace.paused:
            paused = {"reason": fields.get("reason", "bounces"), "paused_at": iso(workspace.clock.now())}
            data = {**data, **paused, "stats": {"bounce_rate": 0.5}}
        id_ = event_id()
        for project in workspace.projects:
            self.courier.raise_event(project, "sending.paused" if workspace.paused else "sending.resumed", data, id_)
        if not workspace.paused:
            self.mail.resume(workspace)
        return 200, {"status": status}

    async def advance(self, request, id_):
        now = await self.workspace(id_).clock.advance(whole(request.object.get("advance_ms"), "advance_ms", 0))
        return 200, {"now": iso(now)}

    async def set_answers(self, request):
        host, answers = request.object.get("host"), request.object.get("answers")
        if not isinstance(host, str) or not isinstance(answers, list) or not all(map(is_texts, answers)) or not answers:
            raise wrong("host or answers")
        self.egress.answers[host.lower()] = [list(each) for each in answers]
        return 204, None

    async def exempt(self, request):
        allow, ca = request.object.get("allow"), request.object.get("ca")
        if not is_texts(allow) or not (ca is None or isinstance(ca, str)):
            raise wrong("allow or ca")
        self.egress.exempt.update(allow)
        if ca is not None and ca not in self.egress.authorities:
            self.egress.authorities.append(ca)
        return 204, None
