import JSON
import Synchronization
import TestSupport
import Testing

@testable import Methods

/// Holds that return when their connection ends, and end before without it.
@Suite struct ConnectionHoldsTests {
    @Test func `holds that ended elsewhere are forgotten, the others end in their order`() {
        let ended = Mutex<[UInt64]>([])
        let holds = ConnectionHolds { ids in ended.withLock { $0 += ids } }
        for id in UInt64(0)..<10_000 {
            holds.add(id)
            // The ten newest are held.
            let asked = holds.nextToLookAt()
            holds.forget(Set(asked.filter { $0 + 10 <= id }), of: asked)
        }
        holds.endAll()
        let left = ended.withLock { $0 }
        #expect(left.count <= MethodLimits.connectionHoldsUsual)
        #expect(left.suffix(10) == Array(9_990..<10_000))
    }

    @Test func `what another connection committed is gone, what is held returns`() throws {
        var setup = TestService.Setup()
        setup.catalog = "freeCredits: 1000"
        let service = try TestService.started(setup)
        _ = try service.call("registerAccount", ["userId": "alice"])
        let line = try service.connect()
        for number in 1...300 {
            let order: JSONObject = [
                "userId": "alice", "amount": 1, "ttlSeconds": 600,
                "idempotencyKey": .string("k\(number)"), "releaseOnDisconnect": true,
            ]
            let hold = try line.call("reserveCredits", order)["reservation"] ?? .null
            if number % 100 != 0 {
                _ = try service.call("commitReservation", ["reservation": hold])
            }
        }
        #expect(try service.rows(of: "leases").count == 3)
        line.close()
        #expect(try eventually { try service.rows(of: "leases").isEmpty })
        #expect(try service.call("getCredits", ["userId": "alice"])["balance"] == 703)
    }
}
