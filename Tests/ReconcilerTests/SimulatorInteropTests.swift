import AppStore
import AppStoreSimulator
import CertificateAuthority
import Entitlements
import Foundation
import JSON
import Signatures
import SimulatorSupport
import Synchronization
import TestSupport
import Testing

@testable import Reconciler

/// The reconciler against the simulated store's API, in bad weather.
struct SimulatorInteropTests {
    @Test(arguments: Array(1...12) as [UInt64])
    func `half of all notifications lost, everything equals the lossless run`(
        _ seed: UInt64
    ) async throws {
        print("seed \(seed)")
        let store = try OpenStore {
            $0.weather = APIWeather(
                tooMany: 0.03,
                trouble: 0.05,
                expiredToken: 0.02,
                retryAfter: 2_000,
                seed: seed
            )
            $0.perSecondMax = 50
        }
        let storefront = AppStore(
            verifier: try DocumentVerifier(roots: [Array(store.books.authority.rootPEM.utf8)]),
            identity: AppStoreIdentity(
                bundleID: "com.example.app",
                appAppleID: 1_234_567_890,
                environments: [.production]
            )
        )
        var state = seed
        func coin() -> Bool {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 63 == 1
        }
        let (book, lossless) = (MemoryBook(), MemoryBook())
        func act(_ name: String, _ action: StoreAction) async throws {
            let isLost = coin()
            let signed = try store.act(name, action, attempts: [isLost ? .noResponse : .success]) {
                $0.product = "paid.monthly"
            }
            let verdict = storefront.verdict(
                onNotification: Array(signed.signedPayload.utf8),
                at: Moment(store.now)
            )
            guard case .genuine(let notification) = verdict else {
                Issue.record("not genuine")
                return
            }
            _ = try await lossless.take(notification)
            if !isLost { _ = try await book.take(notification) }
        }
        for number in 0..<20 { try await act("user\(number)", .subscribe) }
        for _ in 0..<3 {
            store.pass(days: 29.5)
            for number in 0..<20 where number != 3 { try await act("user\(number)", .renew) }
        }
        for number in 0..<20 where coin() { try await act("user\(number)", .cancel) }
        let server = try await StoreServer.start(store.api)
        let api = try #require(try? store.directory.apiAccess())
        let scratch = try Scratch()
        let clock = ReconcilerClock(
            wall: { Moment(store.now) },
            monotonic: { store.now },
            sleep: { store.pass(milliseconds: $0) },
            chance: { 0.5 }
        )
        let notices = Mutex<[ReconcilerNotice]>([])
        let questions = try AppStoreQuestions(
            storefront,
            AppStoreQuestions.Access(
                issuerID: api.issuerID,
                keyID: api.keyID,
                privateKeyPEM: Array(try api.key.privatePEM().utf8),
                baseURL: server.baseURL,
                requestsPerSecond: 0
            )
        )
        let reconciler = Reconciler(
            ReconcilerSettings(directory: scratch.path, version: "0"),
            questions: questions,
            book: book,
            clock: clock,
            report: { notice in notices.withLock { $0.append(notice) } }
        )
        let walked = await reconciler.walkOnce(with: reconciler.clients[0], onlyFailures: true)
        #expect(walked == true, "\(notices.withLock { $0 })")
        #expect(book.subscriptions == lossless.subscriptions)
        let swept = await reconciler.sweepOnce()
        #expect(swept == true, "\(notices.withLock { $0 })")
        let now = Moment(store.now)
        for (key, subscription) in lossless.subscriptions {
            #expect(book.subscriptions[key]?.era(at: now) == subscription.era(at: now))
        }
        let key = try #require(book.subscriptions.keys.first)
        _ = try await reconciler.reconcile([key])
        let transaction = try await reconciler.transaction(id: key.originalID)
        #expect(!transaction.isEmpty)
        await reconciler.stop()
        try await server.stop()
    }
}
