# Verifies vectors of a signature scheme with Python's hmac alone: a third source, which shares nothing with the kit.
# usage: scheme-vectors.py <scheme.json> < vectors.ndjson; prints each vector on whose result it disagrees.
import base64
import hashlib
import hmac
import json
import re
import sys

scheme = json.load(open(sys.argv[1]))
signature, timestamp, event_id = scheme["signature"], scheme.get("timestamp"), scheme.get("id")
digest = getattr(hashlib, scheme["algorithm"].replace("hmac-", ""))


def key_of(secret):
    form, prefix = scheme["key"]["form"], scheme["key"].get("prefix", "")
    bare = secret[len(prefix):] if secret.startswith(prefix) else secret
    if form == "text":
        return secret.encode()
    return base64.b64decode(bare) if form == "base64" else bytes.fromhex(bare)


def value_at(place, headers, body):
    if place is None:
        return None
    if "field" in place:
        found = re.search(rb'"%s"\s*:\s*("[^"]*"|[^,}\s]*)' % place["field"].encode(), body)
        return None if found is None else found.group(1).decode().strip('"')
    return headers.get(place["header"])


def is_valid(vector):
    headers, body = vector["headers"], base64.b64decode(vector["payload_base64"])
    text = headers.get(signature["header"])
    if not text:
        return False
    entries = text.split(signature["separator"]) if "separator" in signature else [text]
    seconds = value_at(timestamp, headers, body)
    if timestamp is not None and "entry" in timestamp:
        label = timestamp["entry"].replace("{timestamp}", "")
        times = [entry for entry in entries if entry.startswith(label)]
        if len(times) != 1:
            return False
        seconds = times[0][len(label):]
        entries = [entry for entry in entries if entry != times[0]]
    if timestamp is not None:
        if seconds is None or not re.fullmatch(r"\d+", seconds, re.ASCII):
            return False
        if seconds != "0" and seconds.startswith("0"):
            return False
        age = vector["now"] - int(seconds) / (1000 if timestamp["unit"] == "milliseconds" else 1)
        if age > timestamp.get("past", float("inf")) or -age > timestamp.get("future", float("inf")):
            return False
    name = value_at(event_id, headers, body)
    if "{id}" in scheme["signed"] and not name:
        return False
    parts = {"{id}": (name or "").encode(), "{timestamp}": (seconds or "").encode(), "{body}": body}
    signed = b"".join(parts.get(piece, piece.encode()) for piece in re.split(r"(\{[a-z]+\})", scheme["signed"]))
    mac = hmac.new(key_of(vector["secret"]), signed, digest).digest()
    right = mac.hex() if scheme["encoding"] == "hex" else base64.b64encode(mac).decode()
    expected = signature["entry"].replace("{signature}", right)
    return any(hmac.compare_digest(entry.encode(), expected.encode()) for entry in entries)


count = 0
for line in sys.stdin:
    vector = json.loads(line)
    count += 1
    if vector["result"] == "acceptable":
        continue
    if is_valid(vector) != (vector["result"] == "valid"):
        print(vector["id"], vector["comment"], vector["result"], json.dumps(vector["headers"]))
print(count, "vectors")
