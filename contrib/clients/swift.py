"""The types of Swift's client, EntitlementsClient, for generate.py, which writes them.

proto/openrpc.json says what they hold; the tables say what it cannot: how a type is called in Swift, and
where it differs. A name with a dot stands within the type before the dot.
"""

import collections
import re
import sys
import textwrap

# Each record of the document that Swift has a type of. Two of one name are one type, in which a member
# that one of them lacks is optional.
TYPES = {
    "RenderAnswer": "RenderAnswer",
    "FeatureAnswer": "FeatureAnswer",
    "Status": "AccountStatus",
    "Subscription": "SubscriptionStatus",
    "OwnedSubscription": "OwnedSubscription",
    "OwnedSubscriptionOffer": "OwnedSubscription.Offer",
    "Entitlement": "Entitlement",
    "GetCreditsResult": "CreditBalance",
    "GetCreditsBucket": "CreditBalance.Bucket",
    "GetHistoryResult": "HistoryPage",
    "GetHistoryEvent": "HistoryEvent",
    "GetHistoryEventBy": "HistoryEvent.Caller",
    "GetHistoryEventDetail": "HistoryEvent.Detail",
    "ExplainResult": "Explanation",
    "RegisterAccountResult": "Registration",
    "VerifyPurchaseResult": "Verification",
    "RestorePurchasesResult": "Restoration",
    "RestorePurchasesResultItem": "Restoration.Purchase",
    "VerifyReceiptResult": "ReceiptVerification",
    "SignOfferResult": "SignedOffer",
    "SignIntroductoryOfferResult": "SignedEligibility",
    "ConsumeCreditResult": "CreditReceipt",
    "ReverseCreditsResult": "CreditReceipt",
    "ReserveCreditsResult": "Reservation",
    "CommitReservationResult": "Settlement",
    "ReleaseReservationResult": "Settlement",
    "MergeAccountsResult": "MergeReceipt",
    "GrantEntitlementResult": "GrantReceipt",
    "RevokeGrantResult": "RevocationReceipt",
    "MovePurchaseResult": "MoveReceipt",
    "FindMatch": "FoundName",
    "GrantCreditsResult": "CreditGrantReceipt",
    "AdjustCreditsResult": "CreditGrantReceipt",
    "SendConsumptionResult": "StoreReply",
    "ExtendRenewalResult": "StoreReply",
    "EraseUserResult": "Erasure",
    "BackupResult": "Backup",
    "StatsResult": "DaemonStats",
    "StatsJournal": "DaemonStats.Journal",
    "StatsViews": "DaemonStats.Views",
    "Space": "DaemonStats.Space",
    "ReconcileResult": "Reconciliation",
    "TestNotificationResult": "TestDelivery",
    "VersionResult": "DaemonVersion",
    "GetOutboxesOutbox": "OutboxStatus",
    "GetOutboxesOutboxFailing": "OutboxStatus.FailingChange",
    "GetOutboxesOutboxParkedChange": "OutboxStatus.ParkedChange",
    "RetryOutboxResult": "OutboxRetry",
    "TestOutboxResult": "OutboxTest",
    "EntitlementChange": "EntitlementChange",
    "StoreEvent": "StoreEvent",
}

# Each list of words that has a type: a schema, or a member; other words are texts. Two of one name are one
# type with the words of both.
WORDS = {
    "State": "AccountState",
    "AccessPath": "AccessPath",
    "DenialReason": "DenialReason",
    "SubscriptionState": "SubscriptionState",
    "ChangeCause": "ChangeCause",
    "Status.paywall": "Paywall",
    "ConsumeCreditResult.outcome": "CreditOutcome",
    "ReserveCreditsResult.outcome": "CreditOutcome",
    "CommitReservationResult.outcome": "CreditOutcome",
    "ReleaseReservationResult.outcome": "CreditOutcome",
    "ReverseCreditsResult.outcome": "CreditOutcome",
    "RestorePurchasesResultItem.outcome": "Restoration.Outcome",
}

# Results that are no type of those, and what becomes of them. By hand, too: WatchEvent, a notification of
# `watch`.
OTHERS = {
    "GetEntitlementResult": "its one member is the answer",
    "GetSubscriptionsResult": "its one member is the answer",
    "GetManagementURLResult": "its one member is the answer",
    "FindResult": "its one member is the answer",
    "LoadResult": "its one member is the answer",
    "GetOutboxesResult": "its one member is the answer",
    "GetResult": "its one member is the answer, as a text of JSON",
    "DumpResult": "RowPage, by hand: a row is a text of JSON",
    "PreviewCatalogResult": "CatalogPreview, by hand: what would change is a text of JSON",
    "ExportUserResult": "PersonalRecord, by hand: all its pages are one text of JSON",
    "SetLogLevelResult": "nothing but what was asked for",
    "PingResult": "nothing",
    "SkipOutboxResult": "nothing",
}

# Properties that are not called as their members are.
RENAMED = {
    "RenderAnswer.via": "path",
    "FeatureAnswer.via": "path",
    "Reservation.reservation": "name",
    "DaemonVersion.entitld": "daemon",
}

# Members without a property.
LEFT_OUT = {
    "Explanation.facts": "it stands in json",
    "Explanation.grants": "it stands in json",
    "Explanation.credits": "it stands in json",
    "DaemonStats.reconcile": "it stands in json",
    "Reconciliation.running": "it is the answer where no user is named",
}

# Properties of another type than the schema has.
RETYPED = {
    "AccountStatus.limits": ("[String: PlanLimit]", "PlanLimit, by hand, is any value but a list or a map"),
    "HistoryEvent.detail": ("Detail?", "a daemon of an older version does not say"),
    "StoreReply.errorCode": ("Int?", "it was so from the beginning"),
    "DaemonStats.space": ("[String: Space]", "the set grows"),
    "Reconciliation.applied": ("Bool", "it is always there where a user is named"),
    "Reconciliation.status": ("AccountStatus", "it is always there where a user is named"),
}

# Properties that the client adds, all of them texts.
ADDED = {
    "CreditReceipt": ("idempotencyKey", "The key that it went under."),
    "Reservation": ("idempotencyKey", "The key that it went under."),
    "Explanation": (
        "json", "All of it as the daemon wrote it, with the facts, grants and credits that were used."),
    "DaemonStats": (
        "json", "All of it as the daemon wrote it, with what this version does not name."),
}

# Types with all members of another one, which they have as one property.
UNFOLDED = {"OwnedSubscription": ("subscription", "Subscription", "What it is.")}

KINDS = {"integer": "Int64", "number": "Double", "string": "String", "boolean": "Bool", "time": "Date"}

Property = collections.namedtuple("Property", "member name kind about")


class Swift:
    """The document's records and words as Swift's types."""

    def __init__(self, reader, schemas, meaning, said):
        self.records, self.meaning, self.said = reader.records, meaning, said
        self.words = {}
        for place, name in WORDS.items():
            record, _, member = place.partition(".")
            schema = self.records[record].members[member] if member else schemas[place]
            schema["x-swift"] = name.rpartition(".")[2]
            self.words.setdefault(name, []).append(schema)
        self.types = list(dict.fromkeys([*self.words, *TYPES.values()]))
        self.check({reader.result(method) for method in reader.methods})

    def check(self, results):
        """Whether the tables fit the document."""
        for result in results ^ {*OTHERS, *(name for name in TYPES if name in results)}:
            sys.exit(f"{result}: swift.py has to say what it is in Swift, or it is no result")
        members = {f"{name}.{member}"
                   for record, name in TYPES.items() for member in self.records[record].members}
        for place in {*RENAMED, *LEFT_OUT, *RETYPED} - members:
            sys.exit(f"{place}: swift.py names it, and proto/openrpc.json does not")

    def file(self, name, by):
        lines = self.type(name)
        has_date = any(re.search(r": \[?Date", line) for line in lines)
        imports = ["import FoundationEssentials", ""] if has_date else []
        return "\n".join([f"// {by}", "", *imports, *lines, ""])

    def type(self, name):
        return self.word_type(name) if name in self.words else self.struct(name)

    def word_type(self, name):
        schemas = self.words[name]
        texts = {}
        for schema in schemas:
            for word in schema["enum"]:
                texts.setdefault(word, schema.get("x-enumDescriptions", {}).get(word))
        about = self.said(schemas[0]).split(". ")[0].removesuffix(".") + "."
        kind, depth = name.rpartition(".")[2], name.count(".")
        lines = comment(f"{about} A newer daemon may use words that this version does not name.", depth)
        lines += [f"public struct {kind}: RawRepresentable, Decodable, Hashable, Sendable {{",
                  "    /// The word on the wire.", "    public let rawValue: String", "",
                  "    /// The word `rawValue`.",
                  "    public init(rawValue: String) { self.rawValue = rawValue }", ""]
        for word, text in texts.items():
            first, *others = word.split("_")
            case = first + "".join(other.capitalize() for other in others)
            lines += indented(comment(in_swift(text, f"{name}.{word}"), depth + 1))
            lines.append(f'    public static let {case} = {kind}(rawValue: "{word}")')
        return [*lines, "}"]

    def struct(self, name):
        record = next(self.records[one] for one, other in TYPES.items() if other == name)
        depth = name.count(".")
        lines = comment(in_swift(record.about, name), depth)
        lines.append(f"public struct {name.rpartition('.')[2]}: Decodable, Equatable, Sendable {{")
        for inner in self.types:
            if inner.startswith(f"{name}."):
                lines += [*indented(self.type(inner)), ""]
        properties = self.properties(name)
        for one in properties:
            lines += indented(comment(one.about, depth + 1))
            lines.append(f"    public let {written(one.name)}: {one.kind}")
        return [*lines, *self.reading(name, properties), "}"]

    def properties(self, name):
        records = [self.records[one] for one, other in TYPES.items() if other == name]
        members = {}
        for record in reversed(records):
            members = {**members, **record.members}
        properties = []
        if name in UNFOLDED:
            property, other, about = UNFOLDED[name]
            properties.append(Property(None, property, TYPES[other], about))
            for member, schema in self.records[other].members.items():
                if members.pop(member, None) != schema:
                    sys.exit(f"{name}.{member}: not as {other} has it")
        for member, schema in members.items():
            place = f"{name}.{member}"
            if place in LEFT_OUT:
                continue
            having = [record for record in records if member in record.members]
            about = in_swift(self.said(schema), place)
            if len(having) < len(records):
                method = having[0].name.removesuffix("Result")
                about += f" Of {method[0].lower()}{method[1:]} alone."
            is_required = all(member in record.required for record in records)
            kind = RETYPED[place][0] if place in RETYPED else self.kind(schema, not is_required)
            properties.append(Property(member, RENAMED.get(place, swift_name(member)), kind, about))
        if name in ADDED:
            property, about = ADDED[name]
            properties.append(Property(property, property, "String", about))
        return properties

    def kind(self, schema, is_optional=False):
        """Swift's type of a value."""
        kind, what, is_null = self.meaning(schema)
        if kind == "words":
            name = what.get("x-swift", "String")
        elif kind == "list":
            name = f"[{self.kind(what)}]"
        elif kind == "record":
            name = TYPES.get(what, "").rpartition(".")[2]
        else:
            name = KINDS.get(kind)
        if not name:
            sys.exit(f"{schema}: swift.py has to say in TYPES or RETYPED what it is in Swift")
        return f"{name}?" if is_null or is_optional else name

    def reading(self, name, properties):
        """How it is read, where that does not follow from the properties."""
        if name in UNFOLDED:
            own = [one for one in properties if one.member]
            lines = ["    private enum CodingKeys: CodingKey {", *cases(own), "    }", "",
                     "    /// All of it, whose members stand in one object.",
                     "    public init(from decoder: any Decoder) throws {",
                     f"        {properties[0].name} = try {properties[0].kind}(from: decoder)",
                     "        let members = try decoder.container(keyedBy: CodingKeys.self)"]
            for one in own:
                kind = one.kind.removesuffix("?")
                decode = "decode" if kind == one.kind else "decodeIfPresent"
                lines.append(f"        {one.name} = try members.{decode}({kind}.self, forKey: .{one.name})")
            return ["", *lines, "    }"]
        renamed = [one for one in properties if one.name != swift_name(one.member)]
        if not renamed:
            return []
        return ["", "    private enum CodingKeys: String, CodingKey {",
                *(f'        case {written(one.name)} = "{one.member}"' for one in renamed),
                *cases([one for one in properties if one not in renamed]), "    }"]


def cases(properties):
    names = ", ".join(written(one.name) for one in properties)
    return [f"        case {line.rstrip(',')}" for line in textwrap.wrap(names, 87)]


def in_swift(about, place):
    """What the document says, in Swift's word for nothing."""
    if not about:
        sys.exit(f"{place}: proto/openrpc.json says nothing of it")
    return re.sub(r"(?<!`)\bnull\b", "nil", about)


def swift_name(member):
    """userId is userID."""
    return member.removesuffix("Id") + "ID" if member.endswith("Id") else member


def written(name):
    """A name as Swift takes it."""
    return f"`{name}`" if name == "protocol" else name


def comment(text, depth):
    """A documentation comment, whose first sentence stands alone."""
    paragraphs = text.split(". ", 1)
    lines = textwrap.wrap(paragraphs[0].removesuffix(".") + ".", 96 - 4 * depth)
    if len(paragraphs) > 1:
        lines += ["", *textwrap.wrap(paragraphs[1], 96 - 4 * depth)]
    return [f"/// {line}".rstrip() for line in lines]


def indented(lines):
    return [f"    {line}" if line else "" for line in lines]


def files(reader, schemas, meaning, said, by):
    """The text of each file, by its name."""
    swift = Swift(reader, schemas, meaning, said)
    return {f"{name}.swift": swift.file(name, by) for name in swift.types if "." not in name}
