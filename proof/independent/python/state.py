"""What the service knows, in memory."""

import itertools
import secrets
from dataclasses import dataclass, field

from clock import Clock

_numbers = itertools.count(1000)
_events = itertools.count(1)


def number():
    return next(_numbers)


def event_id():
    """Fifteen digits, so that texts order as numbers do."""
    return f"evt_{next(_events):015d}"


@dataclass(eq=False)
class Inbox:
    id: str
    address: str
    key: str


@dataclass(eq=False)
class Event:
    id: str
    type: str
    at: int
    data: dict

    @property
    def inbox_id(self):
        return None if self.type.startswith("sending.") else self.data.get("inbox_id")


@dataclass(eq=False)
class Target:
    """A url, taken apart once."""

    url: str
    host: str
    port: int
    host_header: str
    path: str


@dataclass(eq=False)
class Webhook:
    id: str
    target: Target
    event_types: list
    inbox_id: object
    secret: str
    deliveries: list = field(default_factory=list)
    alive: bool = True


@dataclass(eq=False)
class Delivery:
    id: str
    event: Event
    replay_of: object
    status: str = "pending"
    attempt: int = 1
    code: int = 0
    snippet: str = ""
    next_at: object = None
    reason: object = None


@dataclass(eq=False)
class Email:
    id: str
    thread: str
    sender: str
    to: list
    cc: list
    subject: str
    status: str
    scheduled_at: object


@dataclass(eq=False)
class Project:
    org_id: str
    key: str
    domain: str
    workspace: "Workspace"
    inboxes: list = field(default_factory=list)
    webhooks: dict = field(default_factory=dict)
    events: list = field(default_factory=list)
    emails: dict = field(default_factory=dict)
    streams: set = field(default_factory=set)
    results: dict = field(default_factory=dict)


@dataclass(eq=False)
class Workspace:
    id: str
    clock: Clock
    projects: list = field(default_factory=list)
    paused: bool = False
    held: list = field(default_factory=list)


class State:
    def __init__(self):
        self.workspaces = {}
        self.orgs = {}
        self.keys = {}  # key -> (project, inbox or None)
        self.addresses = {}  # address -> (project, inbox)

    def create(self, projects, inboxes):
        workspace = Workspace(f"w{number()}", Clock())
        for _ in range(projects):
            serial = number()
            project = Project(f"org/{serial}", secrets.token_hex(24), f"p{serial}.sender.example", workspace)
            for _ in range(inboxes):
                name = number()
                inbox = Inbox(f"ibx_{name}", f"in-{name}@inbox.example", secrets.token_hex(24))
                project.inboxes.append(inbox)
                self.keys[inbox.key] = (project, inbox)
                self.addresses[inbox.address] = (project, inbox)
            self.keys[project.key] = (project, None)
            self.orgs[project.org_id] = project
            workspace.projects.append(project)
        self.workspaces[workspace.id] = workspace
        return workspace

    def drop(self, workspace):
        del self.workspaces[workspace.id]
        workspace.clock.stop()
        for project in workspace.projects:
            del self.orgs[project.org_id], self.keys[project.key]
            for webhook in project.webhooks.values():
                webhook.alive = False
            for inbox in project.inboxes:
                del self.keys[inbox.key], self.addresses[inbox.address]
