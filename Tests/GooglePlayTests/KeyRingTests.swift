import Entitlements
import GooglePlay
import JSON
import Testing

/// Google's keys: which of an answer are taken, for how long, and when others are fetched.
struct KeyRingTests {
    private static func set() throws -> KeySet { try BearerVectors().keys }

    fileprivate static let start = Moment(1_800_000_000_000)

    fileprivate static func later(_ seconds: Int64) -> Moment {
        start.advanced(byMilliseconds: seconds * 1_000)
    }

    @Test func `keys of other kinds, uses and sizes are left out`() throws {
        let set = try Self.set()
        #expect(set.count == 3)
        #expect(set["first"] != nil && set["second"] != nil)
        for name in ["short", "encrypting", "of RS512", "curve", "secret", "exponent one"] {
            #expect(set[name] == nil, "\(name)")
        }
    }

    @Test func `an answer that is no set of keys is refused`() throws {
        func fault(_ text: String) -> KeySetFault? {
            do throws(KeySetFault) {
                _ = try KeySet(Array(text.utf8))
                return nil
            } catch {
                return error
            }
        }
        #expect(fault("") == .malformed)
        #expect(fault("{}") == .malformed)
        #expect(fault(#"{"keys":{}}"#) == .malformed)
        #expect(fault(#"{"keys":[]}"#) == .empty)
        #expect(fault(#"{"keys":[{"kty":"RSA","kid":"a"}]}"#) == .empty)
        #expect(fault(#"{"keys":[],"keys":[]}"#) == .malformed)
        let modulus = Base64.urlText([UInt8](repeating: 0xff, count: 256))
        let key = #"{"kty":"RSA","kid":"a","n":"\#(modulus)","e":"AQAB"}"#
        #expect(fault(#"{"keys":[\#(key)]}"#) == nil)
        #expect(fault(#"{"keys":[\#(key),\#(key)]}"#) == .ambiguous)
        let padding = String(repeating: " ", count: PlayLimits.keySetBytesMax)
        #expect(fault(#"{"keys":[\#(key)]}\#(padding)"#) == .malformed)
        let many = Array(repeating: "{}", count: PlayLimits.keysMax) + [key]
        #expect(fault(#"{"keys":[\#(many.joined(separator: ","))]}"#) == .malformed)
        #expect(fault(#"{"keys":[\#(many.dropFirst().joined(separator: ","))]}"#) == nil)
    }

    @Test func `keys count for the max-age of their answer`() throws {
        var ring = KeyRing()
        #expect(ring.keys(at: Self.start) == nil)
        let header = "public, max-age=19302, must-revalidate, no-transform"
        ring.keep(try Self.set(), cacheControl: header, age: "302", at: Self.start)
        #expect(ring.keys(at: Self.later(18_999)) != nil)
        #expect(ring.keys(at: Self.later(19_000)) == nil)
    }

    @Test(
        arguments: [
            ("max-age=600", nil, 600), ("MAX-AGE=\"600\"", nil, 600), ("max-age = 600 ", nil, 600),
            ("max-age=600, max-age=900", nil, 600), ("max-age=600", "100", 500),
            ("max-age=600", "x", 600), ("max-age=600", "700", PlayLimits.keySetSecondsMin),
            ("max-age=99999999999999999999", nil, PlayLimits.keySetSecondsMax),
            ("max-age=-1", nil, PlayLimits.keySetSecondsMin),
            ("max-age", nil, PlayLimits.keySetSecondsUnnamed),
            ("no-store", nil, PlayLimits.keySetSecondsMin),
            ("max-age=600, no-cache", nil, PlayLimits.keySetSecondsMin),
            ("s-maxage=600", nil, PlayLimits.keySetSecondsUnnamed),
            ("", nil, PlayLimits.keySetSecondsUnnamed),
        ] as [(String, String?, Int64)]
    )
    func `the headers say for how long, within bounds`(
        header: String,
        age: String?,
        seconds: Int64
    ) {
        #expect(CacheLifetime.seconds(cacheControl: header, age: age) == seconds)
    }

    @Test func `without a header keys count for an hour`() {
        let seconds = CacheLifetime.seconds(cacheControl: nil, age: nil)
        #expect(seconds == PlayLimits.keySetSecondsUnnamed)
    }

    /// A ring whose questions may stand in an expectation.
    private final class Held {
        var ring = KeyRing()

        func fetches(_ seconds: Int64) -> Bool { ring.fetch(at: KeyRingTests.later(seconds)) }
        func mayLearn(_ seconds: Int64) -> Bool { ring.mayLearn(at: KeyRingTests.later(seconds)) }
    }

    @Test func `missing keys are fetched again with pauses, an unknown one once a minute`() throws {
        let held = Held()
        #expect(held.fetches(0))
        #expect(!held.fetches(4))
        #expect(held.fetches(5))
        held.ring.keep(try Self.set(), cacheControl: "max-age=600", age: nil, at: Self.later(5))
        #expect(!held.fetches(300))
        // Fetching the set was no look for an unknown key.
        #expect(held.mayLearn(6))
        #expect(held.fetches(6))
        #expect(!held.fetches(7))
        #expect(!held.mayLearn(65))
        #expect(!held.fetches(65))
        #expect(held.mayLearn(66))
        #expect(held.fetches(66))
        #expect(!held.fetches(604))
        #expect(held.fetches(605))
    }

    @Test func `whoever names a new key while the set is fetched waits for it, too`() throws {
        let held = Held()
        #expect(held.fetches(0))
        held.ring.keep(try Self.set(), cacheControl: "max-age=600", age: nil, at: Self.start)
        #expect(held.mayLearn(100) && held.fetches(100))
        // Nothing more is asked for meanwhile.
        for _ in 0..<3 { #expect(held.mayLearn(101) && !held.fetches(101)) }
        held.ring.keep(try Self.set(), cacheControl: "max-age=600", age: nil, at: Self.later(102))
        #expect(!held.mayLearn(102))
        // Keys that never come are not waited for.
        #expect(held.mayLearn(200) && held.fetches(200))
        #expect(held.mayLearn(204) && !held.mayLearn(205))
    }

    @Test func `a clock that was set back stops no fetching`() {
        let held = Held()
        #expect(held.fetches(1_000))
        #expect(held.fetches(0))
    }
}
