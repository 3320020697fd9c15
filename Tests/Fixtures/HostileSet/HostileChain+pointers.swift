extension HostileChain {
    /// Makes leaf and intermediate name places on the network, as public certificates do: where
    /// their issuer's certificate lies, where to ask whether they are revoked, and a list of those
    /// that are.
    package mutating func point(to url: String) {
        let place = DER.element(0x86, Array(url.utf8))
        func access(_ method: String) -> [UInt8] { DER.sequence([DER.oid(method), place]) }
        let information = CertificateForm.Extension(
            oid: "1.3.6.1.5.5.7.1.1",
            value: DER.sequence([access("1.3.6.1.5.5.7.48.1"), access("1.3.6.1.5.5.7.48.2")])
        )
        let point = DER.element(0xa0, DER.element(0xa0, place))
        let list = CertificateForm.Extension(
            oid: "2.5.29.31",
            value: DER.sequence([DER.sequence([point])])
        )
        leaf.extensions += [information, list]
        middle.extensions += [information, list]
    }
}
