import Entitlements

/// One line of a scenario: when, what, and what is expected of it.
package struct ScenarioStep: Hashable, Sendable {
    /// What a step does.
    package enum Verb: String, Hashable, Sendable, CaseIterable {
        /// `registerAccount`.
        case register
        /// A notification arrives.
        case notify
        /// A notification that was here arrives again, byte by byte.
        case again
        /// An app server shows a purchase: `verifyPurchase`.
        case verifyPurchase
        /// An app server shows what a device knows: `restorePurchases` of one document.
        case restore
        /// `grantEntitlement`.
        case grant
        /// `revokeGrant`.
        case revokeGrant
        /// `mergeAccounts`: the account goes into another.
        case merge
        /// `movePurchase`.
        case move
        /// The catalog names a credit pack that it did not name before.
        case pack
        /// `canRender`.
        case canRender
        /// `getStatus`.
        case getStatus
        /// `grantCredits`.
        case grantCredits
        /// `adjustCredits`.
        case adjustCredits
        /// `consumeCredit`.
        case consume
        /// `reserveCredits`.
        case reserve
        /// `commitReservation`.
        case commit
        /// `releaseReservation`.
        case release
        /// The connection of a reservation ends.
        case disconnect
        /// `reverseCredits`.
        case reverse
        /// `getCredits`.
        case getCredits

        /// Asks and changes nothing.
        package var isCheck: Bool {
            switch self {
            case .canRender, .getStatus, .getCredits: true
            case .register, .notify, .again, .verifyPurchase, .restore, .grant, .revokeGrant,
                .merge, .move, .pack, .grantCredits, .adjustCredits, .consume, .reserve, .commit,
                .release, .disconnect, .reverse:
                false
            }
        }
    }

    /// One word on the right-hand side.
    package struct Expectation: Hashable, Sendable {
        /// Its name; empty for the one that stands alone.
        package let word: String
        /// What it is to be.
        package var value: String

        /// The expectation that `word` is `value`.
        package init(word: String, value: String) {
            self.word = word
            self.value = value
        }
    }

    /// Where it stands in the file, from 1.
    package let line: Int
    /// When it happens.
    package let at: Moment
    /// What it does.
    package let verb: Verb
    /// Whom or what it is about: a user, or for notifications the type.
    package let subject: String
    /// The `key=value` words; a key alone has the value `yes`.
    package let words: [String: String]
    /// What is expected, in the order written; nil where nothing is.
    package let expected: [Expectation]?
    /// The line up to `=>`, as it was written.
    package let left: String

    /// The step that `text` writes, at `line`.
    package init(parsing text: String, line: Int) throws(ScenarioFailure) {
        let sides = Self.sides(of: text)
        var parts = sides.left.split(separator: " ").map(String.init)
        guard parts.count >= 3, let at = ScenarioTime.moment(parts[0]) else {
            throw ScenarioFailure(line: line, "a step is a moment, a verb and whom it is about")
        }
        guard let verb = Verb(rawValue: parts[1]) else {
            throw ScenarioFailure(line: line, "no such verb: \(parts[1])")
        }
        self.line = line
        self.at = at
        self.verb = verb
        subject = parts[2]
        parts.removeFirst(3)
        var words: [String: String] = [:]
        for part in parts {
            let pair = Self.pair(part)
            let (key, value) = pair.word.isEmpty ? (pair.value, "yes") : (pair.word, pair.value)
            guard words.updateValue(value, forKey: key) == nil else {
                throw ScenarioFailure(line: line, "\(key) twice")
            }
        }
        self.words = words
        expected = sides.right.map { right in
            right.split(separator: " ").map { Self.pair(String($0)) }
        }
        left = sides.left
    }

    private static func sides(of text: String) -> (left: String, right: String?) {
        guard let arrow = text.firstRange(of: "=>") else { return (text, nil) }
        return (String(text[..<arrow.lowerBound]), String(text[arrow.upperBound...]))
    }

    private static func pair(_ part: String) -> Expectation {
        guard let equals = part.firstIndex(of: "=") else {
            return Expectation(word: "", value: part)
        }
        return Expectation(
            word: String(part[..<equals]),
            value: String(part[part.index(after: equals)...])
        )
    }

    /// The value of `key`, read as a moment.
    package func moment(_ key: String) throws(ScenarioFailure) -> Moment? {
        guard let text = words[key] else { return nil }
        if text == "never" { return .distantFuture }
        guard let moment = ScenarioTime.moment(text) else {
            throw ScenarioFailure(line: line, "\(key): no moment: \(text)")
        }
        return moment
    }

    /// The value of `key`, read as a number.
    package func number(_ key: String) throws(ScenarioFailure) -> Int64? {
        guard let text = words[key] else { return nil }
        guard let number = Int64(text) else {
            throw ScenarioFailure(line: line, "\(key): no number: \(text)")
        }
        return number
    }
}

extension String {
    fileprivate func firstRange(of needle: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) {
                return start..<index(start, offsetBy: needle.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
