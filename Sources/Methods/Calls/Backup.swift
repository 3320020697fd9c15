import Glibc
import JSON
import Ledger
import Signatures
import Synchronization
import Wire

extension Call {
    /// `backup`: a new directory that is a data directory; made while everything else goes on.
    static let backup = reading("backup", for: .admin, taking: ["path"]) {
        (worker, params, _) throws(RPCFailure) in
        let path = try params.text("path", bytesMax: MethodLimits.pathBytesMax)
        guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
            throw .invalid("path", "is the absolute path of a directory that is not there yet")
        }
        let service = worker.service
        guard !service.isBackingUp.exchange(true, ordering: .acquiringAndReleasing) else {
            throw .overloaded("A backup is being made.")
        }
        let make: @Sendable (LedgerReader) throws(RPCFailure) -> JSONObject = {
            (reader) throws(RPCFailure) in
            reader.rest()
            return try service.backup(to: path)
        }
        return .task(.upkeep, make) {
            service.isBackingUp.store(false, ordering: .releasing)
        }
    }
}

extension MethodService {
    fileprivate func backup(to path: String) throws(RPCFailure) -> JSONObject {
        var digest = RunningDigest()
        do throws(BackupFailure) {
            let report = try ledger.backup(to: path) { (file) throws(BackupFailure) in
                try Self.read(file, into: &digest)
            }
            return [
                "path": .string(path),
                "bytes": .integer(Int64(report.bytes)),
                "digest": .string(digest.finish().map { Self.hex($0) }.joined()),
                "seq": .integer(Int64(report.seq)),
            ]
        } catch {
            throw RPCFailure(error)
        }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }

    private static func read(
        _ path: String,
        into digest: inout RunningDigest
    ) throws(BackupFailure) {
        // SAFETY: plain system calls on a descriptor that this function owns, into an array that
        // outlives them.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(errno: errno) }
        defer { close(descriptor) }
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = piece.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unwritable(errno: errno) }
            if count == 0 { return }
            digest.update(piece[..<count])
        }
    }
}

extension RPCFailure {
    /// Why there is no backup.
    fileprivate init(_ failure: BackupFailure) {
        switch failure {
        case .exists: self = .invalid("path", "names something that is there already")
        case .unwritable(let code):
            self = .invalid(
                "path",
                "cannot be made or written: \(String(cString: strerror(code)))"
            )
        case .unverified:
            self.init(
                .internalError,
                "The copy was not what the journal makes of it; nothing was kept. Run verify."
            )
        case .ledger(let failure): self.init(failure)
        }
    }
}
