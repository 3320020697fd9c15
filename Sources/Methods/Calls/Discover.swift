import Wire

extension Call {
    /// `rpc.discover`: proto/openrpc.json.
    static let discover = Call(
        "rpc.discover",
        for: .reader,
        .inPlace { (_, request, reply) throws(RPCFailure) in
            var text = OpenRPCDocument.text
            reply.beginResult(id: request.idBytes)
            text.withUTF8 { reply.append(bytes: UnsafeRawBufferPointer($0)) }
            reply.endResult()
        }
    )
}
