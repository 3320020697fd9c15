"""What was asked of a daemon and what it answered: what it must still say later."""

import copy
import hashlib
import re

FREE_CREDITS = 3
FAR = "2099-01-01T00:00:00.000Z"


class User:
    """What is known of one user from answers."""

    __slots__ = ("balance", "held", "tokens", "granted", "keys", "erased", "is_unsure")

    def __init__(self):
        self.balance = FREE_CREDITS
        self.held = 0
        self.tokens = []
        # Whether a grant gives a plan without limits.
        self.granted = False
        # By idempotency key: method, parameters without user and key, the answer.
        self.keys = {}
        self.erased = False
        # Where a refused erasure may or may not have happened.
        self.is_unsure = False


def derived_token(name):
    """The appAccountToken that the daemon derives: 16 bytes of SHA-256, version 8, variant 10."""
    bytes = bytearray(hashlib.sha256(f"entitld:{name}".encode()).digest()[:16])
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    text = bytes.hex()
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


def second_token(name):
    """A token that a user names besides: random looking, but always the same one."""
    text = hashlib.md5(name.encode()).hexdigest()
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-8{text[17:20]}-{text[20:]}"


class Books:
    """Users by name. A fork shares them, and copies the ones that it changes."""

    def __init__(self, users=None):
        self._base = users if users is not None else {}
        self._changed = {}
        # The last users that were written to, newest last.
        self.recent = []

    def fork(self):
        """Books that begin with what these say."""
        fork = Books(self.flat() if self._changed else self._base)
        fork.recent = list(self.recent)
        return fork

    def flat(self):
        """Everything in one dictionary."""
        return self._base | self._changed

    def names(self):
        """Every name ever used, sorted."""
        return sorted(self._base.keys() | self._changed.keys())

    def get(self, name):
        """The user, not to be changed; None where the name was never used."""
        return self._changed.get(name) or self._base.get(name)

    def change(self, name):
        """The user, to be changed; a new one where the name was never used."""
        if name not in self._changed:
            known = self._base.get(name)
            self._changed[name] = copy.deepcopy(known) if known else User()
        if self.recent[-1:] != [name]:
            self.recent = self.recent[-99:] + [name]
        return self._changed[name]

    # Each of the following answers a fault, or None; `is_again` after a lost answer.

    def hear(self, method, params, reply, is_again=False):
        """Judges one reply, and remembers what it says."""
        result, name = reply["result"], params.get("userId")
        judge = getattr(self, "_" + method)
        fault = judge(name, params, result, is_again)
        return fault and f"{method} {short(params)}: {fault}; the answer: {short(result)}"

    def _registerAccount(self, name, params, result, is_again):
        known = self.get(name)
        is_new = known is None or known.erased
        token = params.get("appAccountToken") or derived_token(name)
        user = self.change(name)
        if known is not None and known.erased:
            # A return begins anew, and gets nothing free a second time.
            user.__init__()
            user.balance = 0
        if token not in user.tokens:
            user.tokens.append(token)
        return differ(
            result,
            appAccountToken=token,
            created=result["created"] if is_again else is_new,
            creditsRemaining=result["creditsRemaining"] if is_again else user.balance,
        )

    def _consumeCredit(self, name, params, result, is_again):
        amount = params.get("amount", 1)
        known = self.get(name)
        first = self._first(name, params)
        if first:
            return differ(result, replayed=True, **first)
        if known.granted:
            if is_again:
                # What was asked with it may have been granted, and be answered after it.
                return differ(result, outcome="unlimited")
            return differ(result, outcome="unlimited", creditsRemaining=known.balance)
        user = self.change(name)
        outcome = "consumed" if amount <= user.balance else "insufficient"
        user.balance -= amount if outcome == "consumed" else 0
        self._keep(user, "consumeCredit", params, result, ("outcome", "creditsRemaining", "seq"))
        if is_again:
            return differ(result, outcome=outcome)
        return differ(result, outcome=outcome, creditsRemaining=user.balance, replayed=False)

    def _grantCredits(self, name, params, result, is_again):
        first = self._first(name, params)
        if first:
            return differ(result, replayed=True, **first)
        user = self.change(name)
        user.balance += params["amount"]
        self._keep(user, "grantCredits", params, result, ("creditsRemaining", "seq"))
        if is_again:
            return None
        return differ(result, creditsRemaining=user.balance, replayed=False)

    def _reserveCredits(self, name, params, result, is_again):
        first = self._first(name, params)
        if first:
            return differ(result, replayed=True, **first)
        user = self.change(name)
        user.balance -= params["amount"]
        user.held += params["amount"]
        kept = ("outcome", "reservation", "creditsRemaining")
        self._keep(user, "reserveCredits", params, result, kept)
        if is_again:
            return None
        return differ(result, outcome="reserved", creditsRemaining=user.balance, replayed=False)

    def _grantEntitlement(self, name, params, result, is_again):
        first = self._first(name, params)
        if first:
            return differ(result, replayed=True, **first)
        user = self.change(name)
        user.granted = True
        self._keep(user, "grantEntitlement", params, result, ("grant", "seq"))
        return None if is_again else differ(result, replayed=False)

    def _eraseUser(self, name, _, result, is_again):
        user = self.change(name)
        was_there = not user.erased
        user.__init__()
        user.erased = True
        return None if is_again else differ(result, erased=was_there)

    def _first(self, name, params):
        user = self.get(name)
        first = user and user.keys.get(params["idempotencyKey"])
        return first and first[2]

    @staticmethod
    def _keep(user, method, params, result, members):
        rest = {k: v for k, v in params.items() if k not in ("userId", "idempotencyKey")}
        answer = {member: result[member] for member in members}
        user.keys[params["idempotencyKey"]] = (method, rest, answer)

    # What reads must say.

    def _canRender(self, name, _, result, __):
        user = self.get(name)
        if user is None or user.erased:
            return differ(result, canRender=False, state="no_account", reason="no_account")
        if user.granted:
            return differ(result, canRender=True, via="grant", state="subscribed")
        if user.balance > 0:
            return differ(result, canRender=True, via="credits", state="free_with_credits")
        return differ(result, canRender=False, via=None, state="free_no_credits")

    def _getStatus(self, name, _, result, __):
        user = self.get(name)
        if user is None or user.erased:
            return differ(result, state="no_account", plan=None, creditsRemaining=0)
        plan = "paid" if user.granted else "free"
        return differ(result, plan=plan, creditsRemaining=user.balance)

    def _getCredits(self, name, _, result, __):
        user = self.get(name)
        if user is None or user.erased:
            return differ(result, balance=0, held=0)
        return differ(result, balance=user.balance, held=user.held)

    def _getHistory(self, name, _, result, __):
        user = self.get(name)
        if user is None or user.erased:
            return None
        told = [event["seq"] for event in result["events"]]
        since = told[0] if told and "oldest" in result else 0
        missing = [
            answer["seq"]
            for method, _, answer in user.keys.values()
            if answer.get("outcome", "consumed") == "consumed" and answer.get("seq", 0) > since
            if answer["seq"] not in told
        ]
        if missing and not ("oldest" in result and not told):
            return f"the history lacks {missing[:5]}"
        return None

    def _exportUser(self, name, _, result, __):
        user = self.get(name)
        if user is None or user.erased:
            return None
        buckets = result["account"]["credits"]["buckets"]
        return differ({"sum": sum(bucket["amount"] for bucket in buckets)}, sum=user.balance)

    def _dump(self, _, params, result, __):
        """A whole page of accounts: who is in it, and who is not."""
        told = [row["key"] for row in result["entries"]]
        until = told[-1] if result.get("cursor") else None
        expected = [
            name
            for name in self.names()
            if name.startswith(params["prefix"]) and (until is None or name <= until)
            if not self.get(name).erased and not self.get(name).is_unsure
        ]
        unsure = {name for name in told if (known := self.get(name)) and known.is_unsure}
        told = [name for name in told if name not in unsure]
        if told != expected:
            missing, more = set(expected) - set(told), set(told) - set(expected)
            return f"missing {sorted(missing)[:5]}, not expected {sorted(more)[:5]}"
        return None


def differ(result, **expected):
    """What of `result` is not as expected, or None."""
    wrong = [
        f"{name} should be {value!r} and is {result.get(name)!r}"
        for name, value in expected.items()
        if result.get(name) != value
    ]
    return ", ".join(wrong) or None


def short(value):
    """For a message."""
    text = re.sub("s{9,}", "s…", str(value))
    return text if len(text) <= 300 else text[:300] + "…"
