import Entitlements
import JSON

extension RowReading {
    /// The number of a paid period; 0 for what is none.
    static func period(_ value: RowMembers) throws(RowReading) -> UInt64 {
        guard let text = try value.optionalText("period") else { return 0 }
        guard let number = UInt64(text, radix: 16), number > 0 else { throw value.wrong("period") }
        return number
    }

    /// When a paid period begins; what is none begins at once.
    static func begin(_ value: RowMembers) throws(RowReading) -> Moment {
        guard value.has("period") else { return .distantPast }
        return try value.moment("beginsAt")
    }

    /// Ends of paid periods that were moved.
    static func moved(_ value: RowMembers) throws(RowReading) -> [PeriodMove] {
        guard value.has("moved") else { return [] }
        var moves: [PeriodMove] = []
        for one in try value.objects("moved", countMax: MethodLimits.loadedListMax) {
            moves.append(
                PeriodMove(
                    period: try period(one),
                    until: try one.moment("latest"),
                    to: try one.moment("expiresAt")
                )
            )
        }
        return moves
    }
}
