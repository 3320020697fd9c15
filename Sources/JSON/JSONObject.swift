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
    /// Whoever adds one keeps the keys distinct.
    package var members: [Member]

    /// An object of these members.
    package init(_ members: [Member] = []) { self.members = members }

    /// The value of `key`.
    ///
    /// Setting replaces in place, adds at the end, or with nil removes.
    package subscript(_ key: String) -> JSONValue? {
        get { members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
        set {
            let place = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
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
