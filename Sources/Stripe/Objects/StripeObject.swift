import Entitlements
import JSON

/// One of Stripe's objects, as JSON, with the members that all objects share.
///
/// An absent member and a null member are treated alike. Reading a member throws if its type
/// differs from Stripe's documentation and a decision depends on it.
package struct StripeObject: Hashable, Sendable {
    /// The whole object.
    let value: JSONValue

    /// The object in `value`; nil if that is no object.
    init?(_ value: JSONValue?) {
        guard let value, value.object != nil else { return nil }
        self.value = value
    }

    package static func == (left: StripeObject, right: StripeObject) -> Bool {
        left.value == right.value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(value["id"]?.string) }

    /// The same, with what its event says of it where it leaves that out.
    func completed(isLive: Bool, created: Moment) -> StripeObject {
        guard var members = value.object else { return self }
        if self["livemode"] == nil { members["livemode"] = .bool(isLive) }
        if self["created"] == nil { members["created"] = .integer(created.milliseconds / 1000) }
        return StripeObject(.object(members)) ?? self
    }

    /// The kind of object, such as `subscription`.
    var kind: String? { value["object"]?.string }

    /// The member `key`; nil if it is absent or null.
    subscript(_ key: String) -> JSONValue? {
        guard let member = value[key], !member.isNull else { return nil }
        return member
    }

    /// Its own id.
    func id() throws(ShapeFault) -> StripeID {
        guard let id = self["id"]?.string.flatMap(StripeID.init) else { throw ShapeFault("id") }
        return id
    }

    /// A text member; nil if it is absent.
    ///
    /// Another type throws.
    func text(_ key: String) throws(ShapeFault) -> String? {
        guard let member = self[key] else { return nil }
        guard let text = member.string else { throw ShapeFault(key) }
        return text
    }

    /// A Boolean member, under the same rules.
    func flag(_ key: String) throws(ShapeFault) -> Bool? {
        guard let member = self[key] else { return nil }
        guard let flag = member.bool else { throw ShapeFault(key) }
        return flag
    }

    /// An integer member, under the same rules; `older` is its name in former API versions.
    ///
    /// Newer versions write some of them as strings.
    func integer(_ key: String, or older: String? = nil) throws(ShapeFault) -> Int64? {
        guard let member = self[key] ?? older.flatMap({ self[$0] }) else { return nil }
        if let text = member.string, let number = Int64(text) { return number }
        guard let number = member.int64 else { throw ShapeFault(key) }
        return number
    }

    /// A moment, under the same rules; Stripe writes seconds since 1970.
    func moment(_ key: String) throws(ShapeFault) -> Moment? {
        guard let member = self[key] else { return nil }
        guard let seconds = member.int64, (0...StripeLimits.secondsMax).contains(seconds) else {
            throw ShapeFault(key)
        }
        return Moment(seconds * 1000)
    }

    /// An object member, under the same rules; `older` is its name in former API versions.
    func object(_ key: String, or older: String? = nil) throws(ShapeFault) -> StripeObject? {
        guard let member = self[key] ?? older.flatMap({ self[$0] }) else { return nil }
        guard let object = StripeObject(member) else { throw ShapeFault(key) }
        return object
    }

    /// The objects of a list member, `{"object": "list", "data": […]}`; nil if it is absent.
    func list(_ key: String) throws(ShapeFault) -> [StripeObject]? {
        guard let list = try object(key) else { return nil }
        return try list.elements()
    }

    /// Whether Stripe put only a part of a list member into the object: ten elements, mostly.
    func isCut(_ key: String) throws(ShapeFault) -> Bool {
        try object(key)?.flag("has_more") ?? false
    }

    /// The same object with the next part of a list member behind what is there.
    func adding(_ part: StripeObject, to key: String) throws(ShapeFault) -> StripeObject {
        guard var members = value.object, var list = try object(key)?.value.object else {
            throw ShapeFault(key)
        }
        let elements = try (self.list(key) ?? []) + part.elements()
        list["data"] = .array(elements.map(\.value))
        list["has_more"] = .bool(try part.flag("has_more") ?? false)
        members[key] = .object(list)
        return StripeObject(.object(members)) ?? self
    }

    /// The elements of this object, which must be a list.
    func elements() throws(ShapeFault) -> [StripeObject] {
        guard let data = self["data"]?.array else { throw ShapeFault("data") }
        var elements: [StripeObject] = []
        for value in data {
            guard let element = StripeObject(value) else { throw ShapeFault("data") }
            elements.append(element)
        }
        return elements
    }

    /// The id of a related object.
    ///
    /// Stripe gives the id, or on request the whole object.
    ///
    /// `other` is a member that may have it instead.
    func reference(_ key: String, or other: String? = nil) throws(ShapeFault) -> StripeID? {
        guard let member = self[key] ?? other.flatMap({ self[$0] }) else { return nil }
        let text = member.string ?? member["id"]?.string
        guard let id = text.flatMap(StripeID.init) else { throw ShapeFault(key) }
        return id
    }

    /// The related object; nil if only its id is given.
    func expanded(_ key: String) -> StripeObject? { StripeObject(self[key]) }
}
