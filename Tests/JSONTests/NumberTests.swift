import JSON
import Testing

@Suite struct NumberTests {
    private func number(_ text: String) throws -> JSONNumber {
        guard case .number(let number) = try JSONValue.parse(Array(text.utf8)) else {
            throw JSONFailure.syntax(at: 0)
        }
        return number
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("-0.00e5", 0), ("0e999999999999999999999", 0),
            ("1", 1), ("-1", -1), ("1.0", 1), ("1e3", 1_000), ("1E+3", 1_000), ("1.5e1", 15),
            ("150e-1", 15), ("1000e-3", 1), ("0.001e3", 1), ("12.50e2", 1_250), ("100.000", 100),
            ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9.223372036854775807e18", .max), ("92233720368547758070e-1", .max),
            ("-9223372036854775808.0", .min), ("1e18", 1_000_000_000_000_000_000),
            ("10000000000000000000000000e-24", 10), ("0.00000000000000000000001e24", 10),
        ] as [(String, Int64)]
    )
    func `exact integers, however written`(text: String, value: Int64) throws {
        #expect(try number(text).int64 == value)
        #expect(try number(text).text == text)
    }

    @Test(arguments: [
        "0.5", "1.5", "15e-1", "1e-1", "9223372036854775808", "-9223372036854775809", "1e19",
        "18446744073709551616", "1e400", "1e-400", "123456789012345678901234567890", "1.0000001",
        "1e99999999999999999999", "1e-99999999999999999999", "9223372036854775807.5",
    ])
    func `what is no integer of 64 bits is none`(text: String) throws {
        #expect(try number(text).int64 == nil)
    }

    @Test func `doubles`() throws {
        #expect(try number("1.25").double == 1.25)
        #expect(try number("-1e3").double == -1_000)
        #expect(try number("1e400").double == .infinity)
        #expect(JSONNumber(Double.nan) == nil && JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(0.5)?.text == "0.5")
    }

    @Test func `numbers are equal by token or as integers`() throws {
        #expect(try number("1.0") == number("1"))
        #expect(try number("1e2") == number("100"))
        #expect(try number("0.5") == number("0.5"))
        #expect(try number("0.5") != number("0.6"))
        #expect(try number("1") != number("2"))
    }
}
