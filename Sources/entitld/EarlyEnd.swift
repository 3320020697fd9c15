import Glibc
import Synchronization
import Telemetry

/// What a signal does while there is nothing yet, or nothing at all, to finish: a start that
/// replays, or a command that reads a whole store.
///
/// Each step there is safe against a crash, so the process ends at once where it must. A command is
/// given a second first, in which it removes what it was making.
enum EarlyEnd {
    private enum Stage {
        /// There is no need for it: whoever listens to signals stops in an orderly way.
        case orderly
        /// The process ends at once with code 0, after these words.
        case atOnce(@Sendable () -> Void)
        /// What runs is told; the process ends a second later with code 1.
        case soon
    }

    private static let stage = Mutex<Stage>(.orderly)
    private static let flag = Atomic<Bool>(false)

    /// Whether what runs is to end.
    static var isAsked: Bool { flag.load(ordering: .acquiring) }

    /// A start: until `isOver`, a signal ends the process after `farewell`.
    static func begin(_ farewell: @escaping @Sendable () -> Void) {
        stage.withLock { $0 = .atOnce(farewell) }
    }

    /// The start is over: signals are waited for.
    static func isOver() { stage.withLock { $0 = .orderly } }

    /// A command that asks `isAsked` now and then.
    static func beginCommand() throws {
        _ = try SignalStream.signals()
        stage.withLock { $0 = .soon }
    }

    /// Called on the thread of the signals, before anybody hears of one.
    static func signalled(_ number: Int32) {
        // A daemon reloads; a command has lost its terminal.
        let isReload =
            number == SIGHUP && stage.withLock { if case .soon = $0 { false } else { true } }
        if isReload { return }
        // Held for good where the process ends: nobody says any more that the start is over.
        stage.withLock { stage in
            switch stage {
            case .orderly: flag.store(true, ordering: .releasing)
            case .atOnce(let farewell):
                // The flag stays down: what ends because of it might end the process first, with
                // another code.
                farewell()
                _exit(0)
            case .soon:
                flag.store(true, ordering: .releasing)
                sleep(1)
                BoundedWrite.complain(Stop.ended.sentence)
                _exit(Stop.ended.code)
            }
        }
    }
}

extension Stop {
    /// A command was told to end.
    static let ended = Stop(
        code: 1,
        sentence: "It was told to end before it was done; the store is as it was."
    )
}
