"""Signed notifications, and the purchases in them, by the chain of appstoresim."""

import base64
import json

FIRST_TRANSACTION = 2_000_000_000_000


def user(account):
    """The name of an account, as entitlbench has it."""
    return f"user-{account:07}"


class Press:
    """Signs with a home's chain, for accounts 1 to `accounts`; nothing comes twice."""

    def __init__(self, home, accounts):
        self._home, self._accounts, self._run = home, accounts, 0

    def notifications(self, count):
        """So many renewals, each of another account as long as there are such."""
        signed = []
        while len(signed) < count:
            self._run += 1
            printed = self._home.run(
                "entitlbench", "sign", "--press", self._home.press, "--accounts", self._accounts,
                "--documents", min(count - len(signed), self._accounts), "--run", self._run,
            )
            signed += [line.encode() for line in printed.split()]
        return signed

    def purchases(self, count):
        """So many purchases: pairs of a user and a signed transaction of theirs."""
        return [purchase(notification) for notification in self.notifications(count)]


def purchase(notification):
    """The transaction in a notification, and whose it is."""
    signed = claims(notification)["data"]["signedTransactionInfo"]
    account = int(claims(signed.encode())["originalTransactionId"]) - FIRST_TRANSACTION
    return user(account), signed


def claims(document):
    """What a signed document says."""
    middle = document.split(b".")[1]
    return json.loads(base64.urlsafe_b64decode(middle + b"=" * (-len(middle) % 4)))
