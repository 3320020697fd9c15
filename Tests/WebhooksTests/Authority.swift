import Foundation
import TestSupport

@testable import DaemonConfiguration

/// Certificates of a test's own, made by the openssl program.
final class Authority {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    var path: String { scratch.path }

    /// A self-signed pair; the files are `name.pem` and `name.key`.
    func mint(_ name: String) throws -> (certificatePath: String, privateKeyPath: String) {
        let certificatePath = "\(path)/\(name).pem"
        let privateKeyPath = "\(path)/\(name).key"
        _ = try openssl(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-keyout", privateKeyPath,
                "-out", certificatePath,
            ],
            input: ""
        )
        return (certificatePath, privateKeyPath)
    }
}

extension Settings.Transport {
    /// TLS with the pair in these files.
    static func tls(certificatePath: String, privateKeyPath: String) -> Settings.Transport {
        let key = SecretFile(key: "webhook.tls", path: privateKeyPath, isCredential: false)
        return .tls(certificatePath: certificatePath, privateKey: key)
    }
}

/// What the openssl program prints, both streams together.
func openssl(_ arguments: [String], input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    let inPipe = Pipe()
    let outPipe = Pipe()
    process.standardInput = inPipe
    process.standardOutput = outPipe
    process.standardError = outPipe
    try process.run()
    try inPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    if input.isEmpty { try inPipe.fileHandleForWriting.close() }
    let output = outPipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
}
