import CertificateAuthority
import Foundation
import TestSupport
import Testing

@testable import AppStoreSimulator

struct DirectoryTests {
    @Test func `a store is kept whole: settings, chain and subscribers`() throws {
        let scratch = try Scratch()
        let store = SimulatorDirectory(scratch.path + "/store")
        let settings = StoreSettings(
            bundleID: "org.example",
            environment: .sandbox,
            time: StoreTime(monthMilliseconds: 1_234),
            graceDays: 3,
            url: "http://127.0.0.1:1/"
        )
        try store.mint(settings)
        #expect(try store.settings() == settings)
        let pem = try String(contentsOfFile: store.rootPath, encoding: .utf8)
        #expect(pem == (try store.authority().rootPEM))
        #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----"))
        var counter = Counter(.sandbox)
        _ = try counter.act(.subscribe) { $0.trial = Period(3, .day) }
        counter.pass(days: 4)
        _ = try counter.act(.failToRenew)
        _ = try counter.act(.buy) { $0.product = "lifetime" }
        _ = try counter.act(.metadataUpdate)
        #expect(try store.subscriber("alice") == nil)
        try store.keep(counter.customer)
        #expect(try store.subscriber("alice") == counter.customer)
    }

    @Test func `a store is not minted over another`() throws {
        let scratch = try Scratch()
        let store = SimulatorDirectory(scratch.path)
        try store.mint(StoreSettings())
        let root = try String(contentsOfFile: store.rootPath, encoding: .utf8)
        #expect(throws: DirectoryFailure.self) { try store.mint(StoreSettings()) }
        #expect(try String(contentsOfFile: store.rootPath, encoding: .utf8) == root)
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "/etc", "a b", ".hidden", String(repeating: "a", count: 101),
    ])
    func `a subscriber's name stays within the directory`(name: String) throws {
        let scratch = try Scratch()
        let store = SimulatorDirectory(scratch.path)
        try store.mint(StoreSettings())
        #expect(throws: DirectoryFailure.self) { try store.subscriber(name) }
    }

    @Test func `what is no store, or is damaged, is said so`() throws {
        let scratch = try Scratch()
        let store = SimulatorDirectory(scratch.path)
        #expect(throws: DirectoryFailure.self) { try store.settings() }
        try store.mint(StoreSettings())
        try Data("{".utf8).write(to: URL(filePath: scratch.path + "/subscribers/bob.json"))
        #expect(throws: DirectoryFailure.self) { try store.subscriber("bob") }
    }
}
