extension JSONScanner {
    /// Refuses an object, whose members are the stack from `first` on, that has a key twice.
    ///
    /// A few short keys without escapes are compared pairwise: at most
    /// `pairwiseMembersMax` × `pairwiseMembersMax` / 2 comparisons of `pairwiseKeyBytesMax` bytes.
    /// For all others each key is read once, for a hash with the process's random seed, and keys
    /// are compared only where their hashes are equal. So the time is in proportion to the text
    /// whatever the keys are.
    @inline(__always)
    mutating func refuseDuplicates(from first: Int) throws(JSONFailure) {
        let members = stack.all
        guard members.count - first <= JSONLimits.pairwiseMembersMax else {
            try refuseHashedDuplicates(from: first)
            return
        }
        var later = first
        while later < members.count {
            guard Self.isPairwise(members[later]) else {
                try refuseHashedDuplicates(from: first)
                return
            }
            var earlier = first
            while earlier < later {
                if isSameKey(members[earlier], members[later]) {
                    throw .duplicateKey(at: Int(members[later].keyStart))
                }
                earlier += 1
            }
            later += 1
        }
    }

    @inline(__always)
    private static func isPairwise(_ member: JSONMember) -> Bool {
        !member.keyIsEscaped
            && member.keyEnd &- member.keyStart <= UInt32(JSONLimits.pairwiseKeyBytesMax)
    }

    /// A slot of the table is 0, or the upper half of a hash and the place of a member plus one.
    @inline(never)
    private mutating func refuseHashedDuplicates(from first: Int) throws(JSONFailure) {
        let members = stack.all
        guard members.count - first > 1 else { return }
        var slots = 4
        while slots < (members.count - first) * 2 { slots *= 2 }
        hashSlots.removeAll(keepingCapacity: true)
        hashSlots.append(contentsOf: repeatElement(0, count: slots))
        for index in first..<members.count {
            let key = key(members[index])
            let hash = hash(of: key, isEscaped: members[index].keyIsEscaped)
            let mark = hash & ~0xFFFF_FFFF | UInt64(index - first + 1)
            var slot = Int(truncatingIfNeeded: hash) & (slots - 1)
            while hashSlots[slot] != 0 {
                if hashSlots[slot] >> 32 == mark >> 32 {
                    let place = first + Int(hashSlots[slot] & 0xFFFF_FFFF) - 1
                    work.comparedKeys += 1
                    if DecodedBytes.isSame(self.key(members[place]), key) {
                        throw .duplicateKey(at: Int(members[index].keyStart))
                    }
                }
                slot = (slot + 1) & (slots - 1)
            }
            hashSlots[slot] = mark
        }
    }

    /// The hash of what `key` stands for: the same for every way of writing it.
    private mutating func hash(of key: UnsafeRawBufferPointer, isEscaped: Bool) -> UInt64 {
        work.hashedBytes += key.count
        var hasher = Hasher()
        var word: UInt64 = 0
        var count = 0
        if isEscaped {
            var decoded = DecodedBytes(key)
            while let byte = decoded.next() {
                word = word << 8 | UInt64(byte)
                count += 1
                if count & 7 == 0 { hasher.combine(word) }
            }
        } else {
            while key.count - count >= 8 {
                word = UInt64(
                    bigEndian: key.loadUnaligned(fromByteOffset: count, as: UInt64.self)
                )
                hasher.combine(word)
                count += 8
            }
            while count < key.count {
                word = word << 8 | UInt64(key[count])
                count += 1
            }
        }
        // Of the last word those bytes that were combined already change nothing.
        hasher.combine(word)
        hasher.combine(count)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    @inline(__always)
    private func isSameKey(_ left: JSONMember, _ right: JSONMember) -> Bool {
        let count = left.keyEnd - left.keyStart
        guard count == right.keyEnd - right.keyStart else { return false }
        // SAFETY: both offsets were found inside the text now being scanned.
        let (leftKey, rightKey) = (base + Int(left.keyStart), base + Int(right.keyStart))
        var index = 0
        while index < Int(count) {
            if leftKey[index] != rightKey[index] { return false }
            index += 1
        }
        return true
    }

    private func key(_ member: JSONMember) -> UnsafeRawBufferPointer {
        // SAFETY: both offsets were found inside the text now being scanned.
        UnsafeRawBufferPointer(
            start: base + Int(member.keyStart),
            count: Int(member.keyEnd - member.keyStart)
        )
    }
}

/// What looking for duplicate keys has cost a scanner so far, for tests.
///
/// Pairwise comparisons, whose number and length are bounded, are not counted.
struct DuplicateWork: Equatable {
    /// Bytes of keys as written that were read for their hash.
    var hashedBytes = 0
    /// Keys that were compared because their hashes were equal.
    var comparedKeys = 0
}
