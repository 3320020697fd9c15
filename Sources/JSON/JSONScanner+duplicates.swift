extension JSONScanner {
    /// Refuses an object, whose members are the stack from `first` on, that has a key twice.
    ///
    /// Small objects compare each pair; larger ones use a table of hashes with the process's random
    /// seed, so that no choice of keys makes it slow.
    @inline(__always)
    mutating func refuseDuplicates(from first: Int) throws(JSONFailure) {
        let members = stack.all
        guard members.count - first <= JSONLimits.pairwiseMembersMax else {
            try refuseHashedDuplicates(from: first)
            return
        }
        var later = first + 1
        while later < members.count {
            var earlier = first
            while earlier < later {
                if sameKey(members[earlier], members[later]) {
                    throw .duplicateKey(at: Int(members[later].keyStart))
                }
                earlier += 1
            }
            later += 1
        }
    }

    private mutating func refuseHashedDuplicates(from first: Int) throws(JSONFailure) {
        let members = stack.all
        var slots = 64
        while slots < (members.count - first) * 2 { slots *= 2 }
        hashSlots.removeAll(keepingCapacity: true)
        hashSlots.append(contentsOf: repeatElement(0, count: slots))
        for index in first..<members.count {
            var hasher = Hasher()
            if members[index].keyIsEscaped {
                let decoded = JSONText.decoded(key(members[index]))
                decoded.withUnsafeBytes { hasher.combine(bytes: $0) }
            } else {
                hasher.combine(bytes: key(members[index]))
            }
            var slot = hasher.finalize() & (slots - 1)
            while hashSlots[slot] != 0 {
                let other = members[Int(hashSlots[slot]) - 1]
                if sameKey(other, members[index]) {
                    throw .duplicateKey(at: Int(members[index].keyStart))
                }
                slot = (slot + 1) & (slots - 1)
            }
            hashSlots[slot] = UInt32(index + 1)
        }
    }

    @inline(__always)
    private func sameKey(_ left: JSONMember, _ right: JSONMember) -> Bool {
        if left.keyIsEscaped || right.keyIsEscaped {
            return JSONText.decoded(key(left)) == JSONText.decoded(key(right))
        }
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
