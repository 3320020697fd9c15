import DaemonConfiguration
import Testing

struct AddressTests {
    @Test(arguments: [
        ("17.0.0.0/8", "17.255.0.1", true), ("17.0.0.0/8", "18.0.0.0", false),
        ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false),
        ("192.168.128.0/17", "192.168.200.1", true), ("192.168.128.0/17", "192.168.1.1", false),
        ("2620:149::/32", "2620:149:a::1", true), ("2620:149::/32", "2620:14a::1", false),
        ("17.0.0.0/8", "::ffff:17.1.2.3", true), ("::ffff:17.0.0.0/104", "17.1.2.3", true),
        ("::/0", "2001:db8::1", true), ("::1", "::1", true),
    ])
    func `a range holds the addresses with its prefix`(
        range: String,
        address: String,
        holds: Bool
    ) throws {
        let range = try #require(AddressRange(range))
        let address = try #require(IPAddress(address))
        #expect(range.contains(address) == holds)
    }

    @Test(arguments: [
        "", "17", "17.0.0.0/", "17.0.0.0/33", "17.0.0.0/-1", "17.0.0.0/+8", "17.0.0.0/8/8",
        "17.0.0.1/8", "::/129", "example.com", "17.0.0.0/ 8", "1.2.3.4\0", "fe80::1%eth0",
        "256.0.0.0/8", "::ffff:17.0.0.0/8",
    ])
    func `what is no range is refused`(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(arguments: [
        ("0.0.0.0:8443", "0.0.0.0", 8_443), ("[::1]:0", "::1", 0),
        ("localhost:65535", "localhost", 65_535),
    ])
    func `an address to listen at has a port`(text: String, host: String, port: Int) throws {
        let address = try #require(ListenAddress(text))
        #expect(address == ListenAddress(host: host, port: port))
        #expect(address.description == text)
    }

    @Test(arguments: ["", ":", ":80", "host", "host:", "host:+80", "::1:80", "[x]:80", "a b:80"])
    func `what is no address to listen at is refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func `loopback is 127 and one`() throws {
        for (text, isLoopback) in [
            ("127.1.2.3", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("128.0.0.1", false), ("::2", false),
        ] {
            #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
        }
    }
}
