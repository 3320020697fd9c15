import CLinux
import Testing

@Suite struct ChecksumTests {
    @Test func `the check value of CRC32C is the published one`() {
        let digits = Array("123456789".utf8)
        #expect(linux_crc32c(0, digits, digits.count) == 0xE306_9283)
        #expect(linux_crc32c_portable(0, digits, digits.count) == 0xE306_9283)
    }

    @Test func `RFC 3720's examples come out right`() {
        let zeros = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        let rising = (0..<32).map { UInt8($0) }
        #expect(linux_crc32c(0, zeros, 32) == 0x8A91_36AA)
        #expect(linux_crc32c(0, ones, 32) == 0x62A8_AB43)
        #expect(linux_crc32c(0, rising, 32) == 0x46DD_794E)
    }

    @Test func `instruction and table agree on every length, and on every split`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 5) }
        for count in 0...bytes.count {
            let whole = linux_crc32c(0, bytes, count)
            #expect(whole == linux_crc32c_portable(0, bytes, count))
            let half = linux_crc32c(0, bytes, count / 3)
            let rest = Array(bytes[count / 3..<count])
            #expect(linux_crc32c(half, rest, rest.count) == whole)
        }
    }
}
