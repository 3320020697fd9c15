import DaemonConfiguration
import Testing

/// Serial numbers of certificates, as people copy them from other tools.
struct SerialTests {
    @Test(arguments: [
        "0A1B2C", "a1b2c", "0x0a1b2c", "0XA1B2C", "0A:1B:2C", "a:1b:2c", "00:0a:1b:2c",
        "000000000000000000000000000000000000000000000000A1B2C",
    ])
    func `one number has many spellings`(text: String) {
        #expect(CertificateSerial(text)?.bytes == [0x0a, 0x1b, 0x2c])
    }

    @Test(arguments: [
        "", "0", "00:00", "0x", ":", "0A:", ":0A", "0A::1B", "0A1:B2C", "0A 1B", "0A-1B", "g1",
        "-1", "١", "0A:1B:2C\n", "0x0x1",
    ])
    func `what is no serial number is none`(text: String) {
        #expect(CertificateSerial(text) == nil)
    }

    @Test func `a serial number has at most twenty bytes`() {
        let most = String(repeating: "ff", count: ConfigurationLimits.serialBytesMax)
        #expect(CertificateSerial(most)?.bytes.count == ConfigurationLimits.serialBytesMax)
        #expect(CertificateSerial("00" + most)?.bytes.count == ConfigurationLimits.serialBytesMax)
        #expect(CertificateSerial("1" + most) == nil)
    }
}
