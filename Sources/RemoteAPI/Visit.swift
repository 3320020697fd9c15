import HTTPServer
import Synchronization
import Wire

/// One request of a token's holder, and the bytes that wait because of it; they are given back when
/// this is released.
final class Visit: HTTPCharge {
    let holder: TokenHolder
    private let figure: WaitingFigure
    private let held = Atomic<Int>(0)

    init(of holder: TokenHolder, in figure: WaitingFigure) {
        self.holder = holder
        self.figure = figure
    }

    deinit {
        let bytes = held.load(ordering: .relaxed)
        holder.share.release(bytes)
        figure.add(-bytes)
    }

    func resize(to bytes: Int) -> Bool {
        let more = bytes - held.load(ordering: .relaxed)
        guard more > 0 else { return true }
        guard holder.share.chargeIfRoom(more) else { return false }
        note(more)
        return true
    }

    /// Charges for bytes that wait already.
    func hold(_ bytes: Int) {
        holder.share.charge(bytes)
        note(bytes)
    }

    private func note(_ more: Int) {
        held.add(more, ordering: .relaxed)
        figure.add(more)
    }
}

/// How many bytes of one kind wait, for metrics.
final class WaitingFigure: Sendable {
    private let bytes = Atomic<Int>(0)

    var value: Int { bytes.load(ordering: .relaxed) }

    func add(_ more: Int) { bytes.add(more, ordering: .relaxed) }
}
