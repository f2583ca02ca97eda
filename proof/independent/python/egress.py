"""Where deliveries may go, and the guard that keeps every connection on loopback."""

import ipaddress
import re

# What the ipaddress module of some Python calls global though the registries do not, or tunnels to an IPv4 address.
MORE = [
    ipaddress.ip_network(each)
    for each in (
        "192.0.0.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24 224.0.0.0/4 "
        "2001::/23 2002::/16 2620:4f:8000::/48 3fff::/20"
    ).split()
]
UNICAST = ipaddress.ip_network("2000::/3")
LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")


class Blocked(Exception):
    """Every address of the host is a private one."""


class Unknown(Exception):
    """The host has no address."""


def is_public(address):
    if address.version == 6 and address not in UNICAST:
        return False
    return address.is_global and not any(address in net for net in MORE if net.version == address.version)


def assert_loopback(address):
    if not address.is_loopback:
        raise PermissionError(f"{address} is outside loopback, which this program never leaves")


def is_name(host):
    """Letters in the last label: what is all digits, or hexadecimal, is no name."""
    labels = host.split(".")
    last = labels[-1]
    return all(LABEL.fullmatch(each) for each in labels) and re.fullmatch(r"[a-z][a-z0-9-]*", last) is not None


class Egress:
    def __init__(self):
        self.exempt = set()
        self.authorities = []
        self.answers = {"localhost": [["127.0.0.1"]], "example.com": [["93.184.215.14"]]}

    def is_exempt(self, address, port):
        shown = f"[{address}]" if address.version == 6 else str(address)
        return f"{shown}:{port}" in self.exempt

    def takes(self, host, port):
        """At creation nothing is looked up: an exempt literal is taken, no other is, nor is a name of this machine or net."""
        try:
            return self.is_exempt(ipaddress.ip_address(host), port)
        except ValueError:
            name = host.lower().removesuffix(".")
            return is_name(name) and "." in name and name.split(".")[-1] not in ("localhost", "localdomain")

    def address_for(self, host, port):
        """The address to connect to: the first that may be. Raises Blocked or Unknown."""
        try:
            found = [ipaddress.ip_address(host)]
        except ValueError:
            lists = self.answers.get(host.lower().removesuffix("."), [[]])
            answer = lists.pop(0) if len(lists) > 1 else lists[0]
            found = [ipaddress.ip_address(each) for each in answer]
        if not found:
            raise Unknown(host)
        for address in found:
            if self.is_exempt(address, port) or is_public(address):
                return address
        raise Blocked(host)
