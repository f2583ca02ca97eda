"""What the interface leaves to a client, each decided in another way. A name is given to `main.py --with`; several with commas."""

FREEDOMS = {
    "full-jitter": "a wait is anything up to its bound, which begins at 100 ms",
    "long-waits": "waits begin at 800 ms, grow by 2.5 and are cut at 12 s",
    "decorrelated-jitter": "a wait is anything between 200 ms and three times the one before",
    "longer-than-asked": "a second and some chance are added to what Retry-After asks for",
    "keeps-connections": "a connection is used again; one that dies before it answered is opened anew and the request sent on it",
    "chunks": "a body is sent in chunks, without a length",
    "absolute-targets": "the request line holds the whole address",
    "lower-case-headers": "header names are in lower case, and there are more of them",
    "charset": "the content type has a charset, and the JSON is in UTF-8, sorted and with blanks",
    "escapes-everything": "in an id everything but letters and digits is escaped",
    "keys-on-everything": "every request carries an idempotency key, which is no UUID",
    "empty-objects": "a POST of nothing has the body {}",
    "lists-recipients": "a single recipient is sent as a list of one",
    "other-codes": "what the client finds out itself has other codes and other words, and its own refusals a status",
    "flat-errors": "an error is read at the top of the body alone",
    "nested-errors": "an error is read below `error` alone",
    "whole-seconds": "retryAfter is a whole number of seconds, rounded down",
    "tells-the-status-that-came": "an answer whose body breaks off or stalls is told with its status",
    "gives-up-after-a-time-out": "a time-out of its own is thrown at once",
    "creates-once": "a create is made once, whatever comes",
    "creates-until-answered": "a create is made again after a failure of the network too",
    "phrases-as-they-are": "a relative phrase is sent as it is",
    "local-times": "a date is sent with the offset of a zone and microseconds",
    "one-at-a-time": "the driver answers one request after the other",
}

chosen = set()


def choose(names):
    unknown = [name for name in names if name not in FREEDOMS]
    if unknown:
        raise SystemExit("no freedom " + ", ".join(unknown))
    chosen.update(names)


def has(name):
    return name in chosen
