import Entitlements
import JSON
import Ledger
import Wire

/// One page of a history.
///
/// Events of one position are never parted: the next page begins behind a position.
struct HistoryPage {
    private(set) var events: [JSONValue] = []
    private let limit: Int
    private let bytesMax: Int
    /// Those of the frame around it too.
    private var bytes = 2048

    init(limit: Int, bytesMax: Int) {
        self.limit = limit
        self.bytesMax = bytesMax
    }

    /// Takes the turns that follow `seq`, in their order, as far as they fit.
    mutating func fill(_ turns: [Chronicle.Turn], after seq: UInt64) {
        var rest = turns.drop { $0.seq <= seq }
        while let first = rest.first {
            let together = rest.prefix { $0.seq == first.seq }
            guard add(Array(together)) else { return }
            rest = rest.dropFirst(together.count)
        }
    }

    private mutating func add(_ turns: [Chronicle.Turn]) -> Bool {
        guard events.count < limit else { return false }
        var turns = turns
        var added = turns.map(Self.event)
        // What one position tells is told more coarsely rather than never.
        while events.isEmpty, turns.count > 1, bytes + Self.size(added) > bytesMax {
            turns = Self.halved(turns)
            added = turns.map(Self.event)
        }
        let size = Self.size(added)
        guard events.isEmpty || bytes + size <= bytesMax else { return false }
        events += added
        bytes += size
        return true
    }

    /// Of each two turns one: from before the first to after the second.
    private static func halved(_ turns: [Chronicle.Turn]) -> [Chronicle.Turn] {
        stride(from: 0, to: turns.count, by: 2)
            .map { index in
                let first = turns[index]
                let last = turns[min(index + 1, turns.count - 1)]
                return Chronicle.Turn(
                    seq: last.seq,
                    at: last.at,
                    cause: last.cause,
                    before: first.before,
                    after: last.after,
                    step: last.step ?? first.step
                )
            }
    }

    private static func event(_ turn: Chronicle.Turn) -> JSONValue {
        [
            "seq": .integer(Int64(turn.seq)),
            "at": .string(TimeText.text(turn.at.milliseconds)),
            "cause": .string(turn.cause.rawValue),
            "before": .object(turn.shown.before),
            "after": .object(turn.shown.after),
            "by": turn.step?.author?.value ?? .null,
            "detail": turn.step.map { detail($0, turn) } ?? [:],
        ]
    }

    private static func detail(_ step: HistoryStep, _ turn: Chronicle.Turn) -> JSONValue {
        let views = (before: turn.before, after: turn.after)
        return HistoryDetail(step, of: turn.after.user, between: views).value
    }

    private static func size(_ events: [JSONValue]) -> Int {
        events.reduce(0) { $0 + $1.byteCount + 1 }
    }
}
