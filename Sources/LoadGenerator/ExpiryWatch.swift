import Glibc
import Wire

/// How long it takes until a watcher hears that time alone has ended somebody's access.
///
/// Gives access that ends at known moments, watches, and compares the moment of each
/// `entitlementChanged` with the moment that it tells of. Both clocks are this machine's.
package struct ExpiryWatch {
    /// Where an admin is served.
    package var admin: Endpoint
    /// How many users lose their access.
    package var count = 1_000
    /// Over how many seconds their ends are spread.
    package var spreadSeconds = 5.0
    /// When the first ends, in seconds from now: grants take time.
    package var leadSeconds = 3.0
    /// The plan that is given.
    package var plan = "paid"
    /// A number that no earlier run had.
    package var run: UInt64 = 0

    /// A watch at the daemon's admin socket.
    package init(at admin: Endpoint) { self.admin = admin }

    /// What was heard.
    package struct Result: Encodable {
        /// Users whose end was told.
        package var heard = 0
        /// Of these, how many were told with others' changes left out (`coalesced`).
        package var coalesced = 0
        /// How often it was told to begin again, because it had taken too little.
        package var resyncs = 0
        /// Told before the moment itself: must be 0.
        package var early = 0
        /// Delays, in milliseconds.
        package var p50 = 0.0
        package var p99 = 0.0
        package var longest = 0.0
        /// How long the grants took, in seconds.
        package var grantSeconds = 0.0

        /// One line for a person.
        package var text: String {
            "\(heard) ends heard (\(coalesced) coalesced, \(early) early, \(resyncs) resyncs):"
                + " p50 \(p50) ms, p99 \(p99) ms, longest \(longest) ms;"
                + " grants took \(grantSeconds) s"
        }
    }

    /// Gives, watches, measures.
    package func measure() throws(LoadFailure) -> Result {
        var result = Result()
        let began = clockNanoseconds(CLOCK_REALTIME)
        let first = began / 1_000_000 + Int64(leadSeconds * 1_000)
        let ends = (0..<count)
            .map { first + Int64(Double($0) * spreadSeconds * 1_000 / Double(count)) }
        try give(until: ends)
        let given = clockNanoseconds(CLOCK_REALTIME)
        result.grantSeconds = Self.rounded(given - began, per: 1_000_000_000)
        guard given / 1_000_000 < first else {
            throw LoadFailure("the grants took \(result.grantSeconds) s: --lead must be longer")
        }
        let socket = try FrameSocket(admin)
        try socket.send([#"{"jsonrpc":"2.0","id":1,"method":"watch","params":{}}"#])
        let prefix = Array("\"\(prefix)".utf8)
        var delays = LatencyHistogram()
        var isHeard = [Bool](repeating: false, count: count)
        let last = (ends.last ?? first) * 1_000_000
        while result.heard < count {
            let left = (last - clockNanoseconds(CLOCK_REALTIME)) / 1_000_000
            let patience = left + LoadLimits.silenceMilliseconds
            guard let frame = try socket.frame(within: patience) else { break }
            let now = clockNanoseconds(CLOCK_REALTIME)
            if Self.find(#""method":"resync""#, in: frame) != nil { result.resyncs += 1 }
            guard let number = number(in: frame, behind: prefix), !isHeard[number] else { continue }
            isHeard[number] = true
            result.heard += 1
            if Self.find(#""coalesced":true"#, in: frame) != nil { result.coalesced += 1 }
            let delay = now - ends[number] * 1_000_000
            if delay < 0 { result.early += 1 }
            delays.record(delay)
        }
        result.p50 = Self.rounded(delays.quantile(0.5), per: 1_000_000)
        result.p99 = Self.rounded(delays.quantile(0.99), per: 1_000_000)
        result.longest = Self.rounded(delays.longest, per: 1_000_000)
        return result
    }

    private func give(until ends: [Int64]) throws(LoadFailure) {
        let socket = try FrameSocket(admin)
        for part in stride(from: 0, to: count, by: LoadLimits.expiryGrantsTogether) {
            let numbers = part..<min(part + LoadLimits.expiryGrantsTogether, count)
            try socket.send(numbers.map { grant($0, until: ends[$0]) })
            for _ in numbers {
                guard let reply = try socket.frame(within: LoadLimits.silenceMilliseconds) else {
                    throw LoadFailure("no answer to a grant")
                }
                guard Self.find(#""result""#, in: reply) != nil else {
                    let text = String(
                        decoding: reply.prefix(LoadLimits.errorBytesShown),
                        as: UTF8.self
                    )
                    throw LoadFailure("a grant was refused: \(text)")
                }
            }
        }
    }

    private func grant(_ number: Int, until end: Int64) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"grantEntitlement","params":{"userId":""#
            + "\(prefix)\(number)" + #"","plan":""# + plan + #"","idempotencyKey":""#
            + "\(run)" + #"","expiresAt":""# + TimeText.text(end) + #""}}"#
    }

    private var prefix: String { "ends-\(run)-" }

    /// Of whose end by the clock a notification tells.
    private func number(in frame: ArraySlice<UInt8>, behind prefix: [UInt8]) -> Int? {
        guard Self.find(#""cause":"clock""#, in: frame) != nil,
            let user = prefix.withUnsafeBytes({ Self.find($0, in: frame) })
        else { return nil }
        let digits = frame[user...].prefix { (48...57).contains($0) }
        let number = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        return digits.isEmpty || number >= count ? nil : number
    }

    /// Where what follows `text` begins.
    private static func find(_ text: StaticString, in frame: ArraySlice<UInt8>) -> Int? {
        find(
            // SAFETY: a static text lies in the program, as long as it says.
            UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount),
            in: frame
        )
    }

    private static func find(_ wanted: UnsafeRawBufferPointer, in frame: ArraySlice<UInt8>) -> Int?
    {
        frame.withUnsafeBytes { bytes in
            guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
            for place in 0...bytes.count - wanted.count where bytes[place] == first {
                // SAFETY: `place` stops where `wanted` would pass the end.
                let found = UnsafeRawBufferPointer(rebasing: bytes[place..<place + wanted.count])
                if found.elementsEqual(wanted) { return frame.startIndex + place + wanted.count }
            }
            return nil
        }
    }

    private static func rounded(_ nanoseconds: Int64, per unit: Double) -> Double {
        (Double(nanoseconds) / unit * 1_000).rounded() / 1_000
    }
}
