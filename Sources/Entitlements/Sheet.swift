/// Records of one kind on the desk, and which of them changed.
///
/// Inlinable, because unspecialised dictionaries took a fifth of a command's instructions. Records
/// are lent and changed in their place: an account has a dozen lists, and to copy it is to retain
/// each.
@usableFromInline
package struct Sheet<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A box for each record that was laid; nil where there is none.
    @usableFromInline var boxes: [Key: Box?] = [:]
    /// The keys of the records that changed since they were laid.
    @usableFromInline
    package internal(set) var changed: Set<Key> = []

    init() {}

    /// Lays a record, or that there is none; one that is laid already stays as it is.
    @inlinable
    package mutating func lay(_ value: consuming Value?, at key: Key) {
        guard boxes[key] == nil else { return }
        boxes.updateValue(Box(laying: value), forKey: key)
    }

    /// Makes room for so many records.
    package mutating func expect(_ count: Int) { boxes.reserveCapacity(count) }

    /// The record at `key`, which `find` looks for where nobody did.
    @inlinable
    package mutating func laid<Failure>(
        at key: Key,
        _ find: () throws(Failure) -> Value?
    ) throws(Failure) -> Value? {
        if let laid = boxes[key] { return laid?.value }
        let found = try find()
        boxes.updateValue(Box(laying: found), forKey: key)
        return found
    }

    /// Whether nothing was looked for or put here.
    @inlinable
    package var isUnused: Bool { boxes.isEmpty }

    /// Whether `key` was looked for.
    @inlinable
    package func isLaid(_ key: Key) -> Bool { boxes[key] != nil }

    /// Every key that was looked for.
    package var keys: some Sequence<Key> { boxes.keys }

    /// Where the record at `key` is kept, nil where there is none: to ask for a part of it through
    /// here copies that part alone.
    @inlinable
    @inline(__always)
    package func box(_ key: Key) -> Box? {
        guard let laid = boxes[key] else {
            preconditionFailure("the ledger lays every record that a command needs")
        }
        return laid
    }

    /// The record at `key`, copied.
    ///
    /// Changing it marks it as changed.
    @inlinable
    package subscript(key: Key) -> Value? {
        @inline(__always)
        get { box(key)?.value }
        _modify {
            changed.insert(key)
            let box = ownBox(at: key)
            yield &box.value
        }
    }

    /// The box of `key`, which no other sheet has: one that was copied is a sheet of its own.
    @inlinable
    mutating func ownBox(at key: Key) -> Box {
        func own(_ place: inout Box?) -> Box {
            if isKnownUniquelyReferenced(&place), let box = place { return box }
            let box = Box(place?.value)
            place = box
            return box
        }
        return own(&boxes[key, default: nil])
    }

    /// Holds one record.
    ///
    /// SAFETY: whoever changes what is in it has made sure that no other sheet has it.
    @usableFromInline
    package final class Box: @unchecked Sendable {
        /// The record; nil where it was taken away.
        // Reached through the sheet alone, whose own accesses are checked.
        @usableFromInline
        @exclusivity(unchecked) package internal(set) var value: Value?

        @inlinable init(_ value: consuming Value?) { self.value = value }

        /// None where there is no record.
        @inlinable
        convenience init?(laying value: consuming Value?) {
            if value == nil { return nil }
            self.init(value)
        }
    }
}
