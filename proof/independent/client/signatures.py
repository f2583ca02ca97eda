"""Verification of deliveries."""

import base64
import binascii
import hashlib
import hmac
import json
import time

from failures import WebhookVerificationError

NAMES = ("webhook-id", "webhook-timestamp", "webhook-signature")
TOLERANCE = 300


def verify(payload, headers, secret, now=None):
    """The event of a delivery; raises WebhookVerificationError for one that is not valid."""
    given = {name.lower(): value for name, value in headers.items()}
    lacking = [name for name in NAMES if not given.get(name)]
    if lacking:
        raise WebhookVerificationError("missing_header", "without " + ", ".join(lacking))
    message_id, seconds, entries = (given[name] for name in NAMES)
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) < 13):
        raise WebhookVerificationError("bad_timestamp", "the timestamp is no number of seconds")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise WebhookVerificationError("bad_secret", "the secret holds no key")
    mac = hmac.new(key, f"{message_id}.{seconds}.".encode() + payload, hashlib.sha256).digest()
    right = b"v1," + base64.b64encode(mac)
    if not any([hmac.compare_digest(entry.encode(), right) for entry in entries.split(" ")]):
        raise WebhookVerificationError("bad_signature", "no signature matches")
    if abs((time.time() if now is None else now) - int(seconds)) > TOLERANCE:
        raise WebhookVerificationError("bad_time", "it was signed too long ago, or too far ahead")
    try:
        return json.loads(payload)
    except ValueError:
        raise WebhookVerificationError("bad_body", "it is signed, and no JSON") from None
