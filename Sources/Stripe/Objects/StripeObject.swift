import Entitlements
import JSON

/// One of Stripe's objects, as JSON, with what is the same of all of them.
///
/// A member that is absent and one that is null are the same. A member of another type than
/// Stripe's pages say throws, where something depends on it.
package struct StripeObject: Hashable, Sendable {
    /// All of it.
    let value: JSONValue

    /// The object in `value`, or nil where that is none.
    init?(_ value: JSONValue?) {
        guard let value, value.object != nil else { return nil }
        self.value = value
    }

    package static func == (left: StripeObject, right: StripeObject) -> Bool {
        left.value == right.value
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(value["id"]?.string) }

    /// What kind it is, such as `subscription`.
    var kind: String? { value["object"]?.string }

    /// The member `key`, where it is neither absent nor null.
    subscript(_ key: String) -> JSONValue? {
        guard let member = value[key], !member.isNull else { return nil }
        return member
    }

    /// Its own id.
    func id() throws(ShapeFault) -> StripeID {
        guard let id = self["id"]?.string.flatMap(StripeID.init) else { throw ShapeFault("id") }
        return id
    }

    /// A member that is there, or not, and then nothing is guessed.
    func text(_ key: String) throws(ShapeFault) -> String? {
        guard let member = self[key] else { return nil }
        guard let text = member.string else { throw ShapeFault(key) }
        return text
    }

    /// The same of a truth value.
    func flag(_ key: String) throws(ShapeFault) -> Bool? {
        guard let member = self[key] else { return nil }
        guard let flag = member.bool else { throw ShapeFault(key) }
        return flag
    }

    /// The same of an integer; `older` is where former versions of the API have it.
    ///
    /// Newer versions write some of them as strings.
    func integer(_ key: String, or older: String? = nil) throws(ShapeFault) -> Int64? {
        guard let member = self[key] ?? older.flatMap({ self[$0] }) else { return nil }
        if let text = member.string, let number = Int64(text) { return number }
        guard let number = member.int64 else { throw ShapeFault(key) }
        return number
    }

    /// The same of a moment, which Stripe writes in seconds since 1970.
    func moment(_ key: String) throws(ShapeFault) -> Moment? {
        guard let member = self[key] else { return nil }
        guard let seconds = member.int64, (0...StripeLimits.secondsMax).contains(seconds) else {
            throw ShapeFault(key)
        }
        return Moment(seconds * 1000)
    }

    /// The same of an object; `older` is where former versions of the API have it.
    func object(_ key: String, or older: String? = nil) throws(ShapeFault) -> StripeObject? {
        guard let member = self[key] ?? older.flatMap({ self[$0] }) else { return nil }
        guard let object = StripeObject(member) else { throw ShapeFault(key) }
        return object
    }

    /// The objects of a list, `{"object": "list", "data": […]}`; nil where there is none.
    func list(_ key: String) throws(ShapeFault) -> [StripeObject]? {
        guard let list = try object(key) else { return nil }
        return try list.elements()
    }

    /// The objects of this, which is a list.
    func elements() throws(ShapeFault) -> [StripeObject] {
        guard let data = self["data"]?.array else { throw ShapeFault("data") }
        var elements: [StripeObject] = []
        for value in data {
            guard let element = StripeObject(value) else { throw ShapeFault("data") }
            elements.append(element)
        }
        return elements
    }

    /// The id of a related object, of which Stripe gives the id, or on request the whole.
    ///
    /// `other` is where it may stand instead.
    func reference(_ key: String, or other: String? = nil) throws(ShapeFault) -> StripeID? {
        guard let member = self[key] ?? other.flatMap({ self[$0] }) else { return nil }
        let text = member.string ?? member["id"]?.string
        guard let id = text.flatMap(StripeID.init) else { throw ShapeFault(key) }
        return id
    }

    /// The related object, where the whole is given.
    func expanded(_ key: String) -> StripeObject? { StripeObject(self[key]) }
}

/// An object is not as Stripe's pages say, in the member named.
package struct ShapeFault: Error, Hashable, Sendable {
    /// The member.
    package let member: String

    init(_ member: String) { self.member = member }
}
