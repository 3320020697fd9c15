/// An object's members, in the order written.
package struct JSONObject: Sendable {
    /// One key and its value.
    package struct Member: Sendable {
        /// The key, escapes decoded.
        package var key: String
        /// The value.
        package var value: JSONValue

        /// A member.
        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// All of them.
    ///
    /// The caller keeps the keys distinct.
    package var members: [Member]

    /// An object of these members.
    package init(_ members: [Member] = []) { self.members = members }

    /// The value of `key`.
    ///
    /// Setting replaces in place, adds at the end, or with nil removes.
    package subscript(_ key: String) -> JSONValue? {
        get {
            // By place, so that no member is copied to be compared.
            for place in members.indices where Self.isSame(members[place].key, key) {
                return members[place].value
            }
            return nil
        }
        set {
            let place = members.firstIndex { Self.isSame($0.key, key) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Whether both are the same bytes, which `==` of two Strings does not ask.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        let isSame = one.utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { one.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? one.utf8.elementsEqual(other.utf8)
    }

    /// The keys, in order.
    package var keys: [String] { members.map(\.key) }
}

extension JSONObject: Equatable {
    /// The same keys with equal values, in any order.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.members.count == right.members.count
            && left.members.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of these members, in this order.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member(key: $0.0, value: $0.1) }
    }
}
