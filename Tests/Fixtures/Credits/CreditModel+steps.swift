// What each step does to the books.

extension CreditModel {
    /// Performs a step at `later`.
    package mutating func perform(_ step: CreditStep, at later: Int64) -> CreditAnswer {
        pass(to: later)
        switch step {
        case .register(let user): return register(user)
        case .grant(let user, let amount, let until, let source, let key):
            return keyed(user, key, "\(step)") { model in
                let pile = Pile(source: source, until: until ?? .max, amount: amount)
                model.sums.given += amount
                model.put(pile, user)
                return .credited(remaining: model.balance(user), replayed: false)
            }
        case .adjust(let user, let amount, let key):
            return keyed(user, key, "\(step)") { model in
                if amount > 0 {
                    model.sums.given += amount
                    model.put(Pile(source: "adjustment", until: .max, amount: amount), user)
                } else {
                    let taken = model.take(-amount, user)
                    model.sums.spent += taken.reduce(0) { $0 + $1.amount }
                }
                return .credited(remaining: model.balance(user), replayed: false)
            }
        case .consume(let user, let amount, let key): return consume(step, user, amount, key)
        case .reserve(let user, let amount, let milliseconds, let isLease, let key):
            let end = now + milliseconds
            return reserve(step, user, amount, until: end, isLease, key)
        case .commit(let number, let amount): return commit(number, amount)
        case .release(let number): return end(number, "released")
        case .disconnect(let number): return end(number, "disconnected")
        case .reverse(let user, let charge, let key): return reverse(step, user, charge, key)
        case .unlimited(let user, let until, let key):
            return keyed(user, key, "\(step)") { model in
                model.purses[user].freeUntil = max(model.purses[user].freeUntil, until)
                return .done
            }
        case .notice(let id, let words):
            guard notices.insert(id).inserted else { return .done }
            for pack in hear(words) { settle(pack) }
            return .done
        case .verify(let user, let word): return verify(user, word)
        case .restore(let user, let words): return restore(user, words)
        }
    }

    private mutating func register(_ user: Int) -> CreditAnswer {
        if !purses[user].isRegistered {
            purses[user].isRegistered = true
            sums.given += freeCredits
            put(Pile(source: "free", until: .max, amount: freeCredits), user)
        }
        for pack in claim(user) { settle(pack) }
        return .registered(remaining: balance(user))
    }

    /// The first answer under the key, or `act`'s.
    private mutating func keyed(
        _ user: Int,
        _ key: String,
        _ fingerprint: String,
        _ act: (inout CreditModel) -> CreditAnswer
    ) -> CreditAnswer {
        if let first = first(user, key) {
            return first.fingerprint == fingerprint
                ? first.answer.repeated : .refused("idempotency_mismatch")
        }
        let answer = act(&self)
        places += 1
        purses[user].firsts[key] = First(
            at: now,
            place: places,
            fingerprint: fingerprint,
            answer: answer
        )
        return answer
    }

    private func first(_ user: Int, _ key: String) -> First? {
        purses[user].firsts[key].flatMap { now < $0.at + Self.kept ? $0 : nil }
    }

    private mutating func consume(
        _ step: CreditStep,
        _ user: Int,
        _ amount: Int64,
        _ key: String
    ) -> CreditAnswer {
        if first(user, key) == nil, now < purses[user].freeUntil {
            return .charged("unlimited", remaining: balance(user), replayed: false)
        }
        let isNew = first(user, key) == nil
        var taken: [Pile]?
        let answer = keyed(user, key, "\(step)") { model in
            guard model.balance(user) >= amount else {
                return .charged("insufficient", remaining: model.balance(user), replayed: false)
            }
            taken = model.take(amount, user)
            model.sums.spent += amount
            return .charged("consumed", remaining: model.balance(user), replayed: false)
        }
        if isNew {
            purses[user].firsts[key]?.isCharge = true
            purses[user].firsts[key]?.taken = taken
        }
        return answer
    }

    private mutating func reserve(
        _ step: CreditStep,
        _ user: Int,
        _ amount: Int64,
        until end: Int64,
        _ isLease: Bool,
        _ key: String
    ) -> CreditAnswer {
        if first(user, key) == nil, now < purses[user].freeUntil {
            return .reserved("unlimited", nil, remaining: balance(user), replayed: false)
        }
        let answer = keyed(user, key, "\(step)") { model in
            guard model.balance(user) >= amount else {
                let left = model.balance(user)
                return .reserved("insufficient", nil, remaining: left, replayed: false)
            }
            let parts = model.take(amount, user)
            model.open.append(model.held.count)
            model.held.append(Held(user: user, until: end, isLease: isLease, parts: parts))
            let left = model.balance(user)
            return .reserved("reserved", model.held.count, remaining: left, replayed: false)
        }
        // The answer that there are too few is the same one under whatever method.
        if case .reserved("insufficient", _, _, false) = answer {
            purses[user].firsts[key]?.isCharge = true
        }
        guard case .reserved("reserved", let number?, let left, true) = answer,
            held[number - 1].ending?.word == "disconnected"
        else { return answer }
        return .reserved("released", number, remaining: left, replayed: true)
    }

    private mutating func commit(_ number: Int, _ amount: Int64?) -> CreditAnswer {
        guard held.indices.contains(number - 1) else { return .refused("not_found") }
        let all = held[number - 1].parts.reduce(0) { $0 + $1.amount }
        if held[number - 1].ending == nil {
            if let amount, amount > all { return .refused("invalid_params") }
            finish(number - 1, "committed", spending: amount ?? all)
        }
        return ending(number, "committed")
    }

    private mutating func end(_ number: Int, _ word: String) -> CreditAnswer {
        guard held.indices.contains(number - 1) else { return .refused("not_found") }
        if held[number - 1].ending == nil { finish(number - 1, word, spending: 0) }
        return ending(number, word)
    }

    /// Who asks for the ending that it had gets what remained then; others what remains now.
    private func ending(_ number: Int, _ asked: String) -> CreditAnswer {
        guard let ending = held[number - 1].ending else { return .done }
        let left = ending.word == asked ? ending.remaining : balance(held[number - 1].user)
        let word = ending.word == "disconnected" ? "released" : ending.word
        return .ended(word, remaining: left)
    }

    private mutating func reverse(
        _ step: CreditStep,
        _ user: Int,
        _ charge: String,
        _ key: String
    ) -> CreditAnswer {
        if first(user, key) == nil, first(user, charge)?.isCharge != true {
            return .refused("not_found")
        }
        return keyed(user, key, "\(step)") { model in
            guard let taken = model.purses[user].firsts[charge]?.taken else {
                let left = model.balance(user)
                return .reversed("nothing", remaining: left, replayed: false)
            }
            model.purses[user].firsts[charge]?.taken = nil
            for part in taken {
                model.sums.spent -= part.amount
                model.put(part, user)
            }
            let place = model.purses[user].firsts[charge]?.place ?? .max
            model.collect(from: taken, chargedAt: place, user)
            return .reversed("reversed", remaining: model.balance(user), replayed: false)
        }
    }

    /// What refunds forgave is taken from what a charge from before them put back.
    private mutating func collect(from returned: [Pile], chargedAt charge: Int, _ user: Int) {
        var returned = returned
        for place in purses[user].forgiven.indices where purses[user].forgiven[place].place > charge
        {
            let pack = purses[user].forgiven[place].pack
            let source = "pack:" + (packs[pack]?.word.product ?? "")
            let order =
                returned.indices.filter { returned[$0].source == source }
                + returned.indices.filter { returned[$0].source != source }
            for index in order {
                let part = returned[index]
                let here = purses[user].piles
                    .firstIndex { $0.source == part.source && $0.until == part.until }
                guard let here else { continue }
                let missing = purses[user].forgiven[place].amount
                let taken = min(part.amount, missing, purses[user].piles[here].amount)
                purses[user].forgiven[place].amount -= taken
                purses[user].piles[here].amount -= taken
                if purses[user].piles[here].amount == 0 { purses[user].piles.remove(at: here) }
                returned[index].amount -= taken
                let before = packs[pack]?.takenBack ?? 0
                packs[pack]?.takenBack = before + taken
                sums.takenBack += taken
            }
        }
        purses[user].forgiven.removeAll { $0.amount == 0 }
    }

    /// A user shows a purchase: theirs becomes theirs, and the token on it; another's is refused.
    private mutating func verify(_ user: Int, _ word: CreditPackWord) -> CreditAnswer {
        guard word.buyer == user else { return .refused("ownership_conflict") }
        let packs = hear([word]) + claim(user)
        self.packs[word.pack]?.owner = user
        for pack in Set(packs).sorted() { settle(pack) }
        return .done
    }

    /// What is shown becomes the user's, others' too, and the user's token; but not what carries a
    /// token of nobody.
    private mutating func restore(_ user: Int, _ words: [CreditPackWord]) -> CreditAnswer {
        let shown = hear(words)
        let known = words.filter { $0.buyer == user || claimed.contains($0.buyer) }
        let theirs = words.contains { $0.buyer == user } ? claim(user) : []
        for word in known { self.packs[word.pack]?.owner = user }
        for pack in Set(shown + theirs).sorted() { settle(pack) }
        return .done
    }

    /// The user's token is theirs from now on, and with it the packs that waited for it.
    private mutating func claim(_ user: Int) -> [Int] {
        guard claimed.insert(user).inserted else { return [] }
        let theirs = packs.keys.filter { packs[$0]?.word.buyer == user }
        for pack in theirs { packs[pack]?.owner = user }
        return theirs.sorted()
    }

    /// Takes in what is newer; answers which packs.
    private mutating func hear(_ words: [CreditPackWord]) -> [Int] {
        for word in words {
            if let known = packs[word.pack]?.word {
                if known.signed < word.signed { packs[word.pack]?.word = word }
            } else {
                packs[word.pack] = PackPage(
                    word: word,
                    owner: claimed.contains(word.buyer) ? word.buyer : nil
                )
            }
        }
        return Set(words.map(\.pack)).sorted()
    }

    /// A pack credits its owner once, and is taken back when it is refunded.
    private mutating func settle(_ pack: Int) {
        guard let page = packs[pack], let owner = page.owner else { return }
        let size: Int64 = page.word.product == "pack.ten" ? 10 : 2
        let source = "pack:" + page.word.product
        let share = page.word.isRevoked ? page.word.share : 0
        guard page.credited != nil || share < 100_000 else { return }
        if page.credited == nil {
            let amount = size * page.word.quantity
            packs[pack]?.credited = amount
            packs[pack]?.creditedTo = owner
            sums.given += amount
            put(Pile(source: source, until: .max, amount: amount), owner)
        }
        let amount = packs[pack]?.credited ?? 0
        let wanted = refunded(amount, page.word.quantity, share)
        var before = page.refunded
        if wanted == before { return }
        var most = Int64.max
        if wanted < before {
            // What was taken comes again; of a smaller refund no more is taken than before.
            let back = page.takenBack ?? 0
            (before, most) = (0, back)
            packs[pack]?.takenBack = nil
            packs[pack]?.refunded = 0
            purses[owner].forgiven.removeAll { $0.pack == pack }
            sums.takenBack -= back
            put(Pile(source: source, until: .max, amount: back), owner)
        }
        if wanted > before { refund(pack, of: owner, from: before, to: wanted, most) }
    }

    /// Of so many credits in so many packs: whole packs where the share is as near to them as two
    /// decimal places and a third allow, else what it comes to, without the rest.
    private func refunded(_ amount: Int64, _ packs: Int64, _ share: Int64) -> Int64 {
        for count in 0...packs {
            let exact = Double(count) / Double(packs) * 100_000
            if abs(exact - Double(share)) < 1 { return amount * count / packs }
        }
        return amount * share / 100_000
    }

    private mutating func refund(
        _ pack: Int,
        of owner: Int,
        from before: Int64,
        to wanted: Int64,
        _ most: Int64
    ) {
        let amount = wanted - before
        // Without debts, what is set aside comes back first, oldest first, until there is enough.
        var ended: [Int] = []
        for index in open
        where !owesRefunds && held[index].user == owner && balance(owner) < amount {
            finish(index, "released", spending: 0)
            ended.append(index)
        }
        // What remains behind them is what the refund leaves.
        defer {
            let left = balance(owner)
            for index in ended { held[index].ending?.remaining = left }
        }
        let source = "pack:" + (packs[pack]?.word.product ?? "")
        let taken = take(min(amount, most, balance(owner)), owner, first: source)
            .reduce(0) { $0 + $1.amount }
        let owed = owesRefunds ? min(amount, most) - taken : 0
        purses[owner].debt += owed
        sums.takenBack += taken + owed
        let takenBefore = packs[pack]?.takenBack ?? 0
        packs[pack]?.takenBack = takenBefore + taken + owed
        packs[pack]?.refunded = wanted
        if taken + owed < amount {
            places += 1
            purses[owner].forgiven.append((pack, places, amount - taken - owed))
        }
    }
}

extension CreditAnswer {
    /// The answer as a repetition gets it.
    var repeated: CreditAnswer {
        switch self {
        case .credited(let left, _): .credited(remaining: left, replayed: true)
        case .charged(let word, let left, _): .charged(word, remaining: left, replayed: true)
        case .reserved(let word, let number, let left, _):
            .reserved(word, number, remaining: left, replayed: true)
        case .reversed(let word, let left, _): .reversed(word, remaining: left, replayed: true)
        case .registered, .ended, .refused, .done: self
        }
    }
}
