"""How long a client waits before it tries again."""

import math
import random
import re
import time
from email.utils import parsedate_to_datetime

from freedoms import has


def asked_seconds(header):
    """What `Retry-After` asks for, in seconds from now; None without one that can be read."""
    text = (header or "").strip()
    if re.fullmatch(r"\d{1,12}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, IndexError):
        return None


def told_seconds(asked):
    """`retryAfter` of an error."""
    if asked is None:
        return None
    return math.floor(asked) if has("whole-seconds") else asked


class Waits:
    """The waits of one call."""

    def __init__(self):
        self._last = 0.2

    def before(self, attempt, asked):
        """Seconds before a further attempt, when so many were made."""
        if asked is not None:
            return asked + (random.uniform(1.0, 1.3) if has("longer-than-asked") else 0.0)
        if has("decorrelated-jitter"):
            self._last = min(15.0, random.uniform(0.2, 3 * self._last))
            return self._last
        if has("full-jitter"):
            return random.uniform(0.0, 0.1 * 2**attempt)
        if has("long-waits"):
            return min(12.0, 0.8 * 2.5 ** (attempt - 1)) * random.uniform(0.7, 1.0)
        bound = min(20.0, 0.3 * 2 ** (attempt - 1))
        return bound / 2 + random.uniform(0.0, bound / 2)
