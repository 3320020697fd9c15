import COpenRPC
import Wire

extension Call {
    /// `rpc.discover`: proto/openrpc.json.
    static let discover = Call(
        "rpc.discover",
        for: .reader,
        .inPlace { (_, request, reply) throws(RPCFailure) in
            reply.beginResult(id: request.idBytes)
            OpenRPCDocument.compact.withUnsafeBytes { reply.append(bytes: $0) }
            reply.endResult()
        }
    )
}

/// The OpenRPC document that `rpc.discover` answers.
enum OpenRPCDocument {
    /// What proto/openrpc.json says, without the white space between its values.
    static let compact: [UInt8] = {
        // SAFETY: a constant of the program, of so many bytes.
        let written = UnsafeRawBufferPointer(
            start: openrpc_document(),
            count: openrpc_document_bytes()
        )
        var (isInString, isEscaped) = (false, false)
        return written.filter { byte in
            defer {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return isInString || byte > UInt8(ascii: " ")
        }
    }()
}
