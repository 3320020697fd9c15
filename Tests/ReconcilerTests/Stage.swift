import AppStore
import CertificateAuthority
import Entitlements
import Foundation
import JSON
import Signatures
import Synchronization
import TestSupport

@testable import Reconciler

/// A reconciler over a fake store, a book in memory and a clock that jumps.
struct Stage: Sendable {
    let voice: StoreVoice
    let key: ES256Key
    let clock: HandClock
    let book: MemoryBook
    let reconciler: Reconciler
    let notices: Notices
    let directory: String

    /// A stage that asks `url`, for as long as `body` takes.
    static func playing(
        _ url: String,
        environments: [StoreEnvironment] = [.production],
        others: [String] = [],
        voice: StoreVoice? = nil,
        directory: String? = nil,
        book: MemoryBook = MemoryBook(),
        clock: HandClock = HandClock(at: StoreVoice.start),
        requestsPerSecond: Int = 0,
        attemptMilliseconds: Int64 = ReconcilerLimits.attemptMilliseconds,
        _ body: (Stage) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        defer { withExtendedLifetime(scratch) {} }
        let place = directory ?? scratch.path
        let key = try ES256Key()
        let notices = Notices()
        let voice = try voice ?? StoreVoice()
        var settings = ReconcilerSettings(directory: place, version: "0")
        settings.attemptMilliseconds = attemptMilliseconds
        let questions = try AppStoreQuestions(
            voice.storefront(others: others, environments: environments),
            AppStoreQuestions.Access(
                issuerID: "57246542-96fe-1a63-e053-0824d011072a",
                keyID: "2X9R4HXF34",
                privateKeyPEM: Array(try key.privatePEM().utf8),
                baseURL: url,
                requestsPerSecond: requestsPerSecond
            )
        )
        let reconciler = Reconciler(
            settings,
            questions: questions,
            book: book,
            clock: clock.clock,
            report: { notices.add($0) }
        )
        let stage = Stage(
            voice: voice,
            key: key,
            clock: clock,
            book: book,
            reconciler: reconciler,
            notices: notices,
            directory: place
        )
        do {
            try await body(stage)
        } catch {
            await reconciler.stop()
            throw error
        }
        await reconciler.stop()
    }

    var api: ScopeClient { reconciler.clients[0] }

    /// The haste of somebody who waits so long.
    func prompt(_ milliseconds: Int64 = ReconcilerLimits.promptMilliseconds) -> Haste {
        .prompt(until: clock.now.milliseconds + milliseconds)
    }
}

extension ScopeClient {
    /// The signed transaction `id`.
    func transaction(_ id: String, _ haste: Haste) async throws(StoreAPIFailure) -> [UInt8] {
        guard let question = questions.purchase(.transaction(id), in: scope) else {
            throw .nameless
        }
        return try document(in: try await answer(to: question, haste))
    }
}

extension Reconciler {
    /// The signed transaction `id`, from whoever knows it.
    func transaction(id: String) async throws(StoreAPIFailure) -> [UInt8] {
        let limit = ReconcilerLimits.promptMilliseconds
        return try document(in: try await purchase(.transaction(id), within: limit))
    }
}

private func document(in answer: PurchaseAnswer) throws(StoreAPIFailure) -> [UInt8] {
    switch answer {
    case .document(let document): return document
    case .stated: throw StoreAPIFailure(.malformed, "facts and no document")
    }
}

/// What the reconciler said.
final class Notices: Sendable {
    private let kept = Mutex<[ReconcilerNotice]>([])

    func add(_ notice: ReconcilerNotice) { kept.withLock { $0.append(notice) } }

    var all: [ReconcilerNotice] { kept.withLock { $0 } }
}

/// The failure that `work` ends with.
func apiFailure(
    of work: () async throws(StoreAPIFailure) -> some Any
) async -> StoreAPIFailure? {
    do throws(StoreAPIFailure) {
        _ = try await work()
        return nil
    } catch {
        return error
    }
}
