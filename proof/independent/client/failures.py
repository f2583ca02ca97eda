"""What a call of the library raises."""

from freedoms import has


class ServiceError(Exception):
    """A call that failed; `status` is 0 where no answer arrived."""

    def __init__(self, status, code, message, fix, errors=None, retry_after=None):
        super().__init__(message)
        self.fields = {"status": status, "code": code, "message": message, "fix": fix}
        if errors is not None:
            self.fields["errors"] = errors
        if retry_after is not None:
            self.fields["retry_after"] = retry_after


class WebhookVerificationError(ServiceError):
    """A delivery that is refused."""

    def __init__(self, code, message):
        if has("other-codes"):
            code, message = "webhook_refused", "Not accepted: " + message
        status = 400 if has("other-codes") else 0
        super().__init__(status, code, message, "Hand over the body as it came, all headers, and the secret of the webhook.")


def no_answer(code, what, seen=()):
    words = {
        "network_error": ("the connection broke", "Look at the network and at the base address."),
        "timeout": ("it took too long", "Allow more time, or try again."),
        "aborted": ("the caller ended it", "Nothing, if that was meant."),
    }
    said, fix = words[code]
    status = seen[0] if seen and has("tells-the-status-that-came") else 0
    return ServiceError(status, code, f"{what}: {said}", fix)


def refused(status, parsed, retry_after, what):
    """The error of an answer; what its body does not tell is made up."""
    outer = parsed if isinstance(parsed, dict) else {}
    inner = outer.get("error") if isinstance(outer.get("error"), dict) else {}
    places = [outer] if has("flat-errors") else [inner] if has("nested-errors") else [outer, inner]

    def told(name, kind, otherwise):
        found = [place[name] for place in places if isinstance(place.get(name), kind) and place[name] != ""]
        return found[0] if found else otherwise

    return ServiceError(
        status,
        told("code", str, "E_ANSWER" if has("other-codes") else f"status_{status}"),
        told("message", str, f"{what} was answered with {status}."),
        told("fix", str, "Ask whoever runs the service." if has("other-codes") else "See what the service says of it."),
        told("errors", list, None),
        retry_after,
    )
