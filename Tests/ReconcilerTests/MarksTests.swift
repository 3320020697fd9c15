import Entitlements
import Foundation
import TestSupport
import Testing

@testable import Reconciler

/// The marks outlive the process, and damage costs a walk only.
struct MarksTests {
    private static let name = "marks.json"

    private func marks() -> Marks {
        var marks = Marks()
        marks.walks = [.production: Moment(1), .sandbox: Moment(2)]
        marks.failureWalks = [.sandbox: Moment(3)]
        marks.sweep = Marks.Sweep(
            startedAt: Moment(4),
            cursor: SubscriptionKey(store: .appStore, environment: .sandbox, originalID: "a/b"),
            isCompleted: false
        )
        marks.histories = [
            SubscriptionKey(store: .appStore, environment: .sandbox, originalID: "1"),
            SubscriptionKey(store: .appStore, environment: .production, originalID: "2"),
        ]
        return marks
    }

    @Test func `marks come back as they were kept`() {
        #expect(Marks(Marks().bytes) == Marks())
        #expect(Marks(marks().bytes) == marks())
        var first = marks()
        first.sweep?.cursor = nil
        first.sweep?.isCompleted = true
        #expect(Marks(first.bytes) == first)
    }

    @Test func `a file is read by the next process; it is the owner's alone`() throws {
        let scratch = try Scratch()
        let notices = Notices()
        let kept = marks()
        let file = MarksFile(in: scratch.path, named: Self.name) { notices.add($0) }
        #expect(file.marks == Marks())
        file.change { $0 = kept }
        #expect(MarksFile(in: scratch.path, named: Self.name) { notices.add($0) }.marks == kept)
        #expect(notices.all.isEmpty)
        #expect(Scratch.names(in: scratch.path) == [Self.name])
        let path = scratch.file(Self.name)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test func `a damaged file counts as none, and is told`() throws {
        let whole = marks().bytes
        let texts = [
            [], Array("{}".utf8), Array(whole.dropLast()),
            Array(
                String(decoding: whole, as: UTF8.self).replacing("version\":1", with: "version\":2")
                    .utf8
            ),
            Array(
                String(decoding: whole, as: UTF8.self).replacing("Sandbox/1", with: "Sandbox/")
                    .utf8
            ),
            [UInt8](repeating: 0x20, count: ReconcilerLimits.marksBytesMax + 1),
        ]
        for text in texts {
            let scratch = try Scratch()
            let notices = Notices()
            try Scratch.put(text, at: scratch.file(Self.name))
            let file = MarksFile(in: scratch.path, named: Self.name) { notices.add($0) }
            #expect(file.marks == Marks())
            #expect(notices.all == [.marksUnreadable])
        }
    }

    @Test func `marks that cannot be kept are told, and hold for this process`() {
        let notices = Notices()
        let file = MarksFile(in: "/nowhere/at/all", named: Self.name) { notices.add($0) }
        file.change { $0.walks[.production] = Moment(9) }
        #expect(file.marks.walks[.production] == Moment(9))
        #expect(notices.all == [.marksUnsaved("No such file or directory")])
    }
}
