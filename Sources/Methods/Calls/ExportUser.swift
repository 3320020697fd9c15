import Ledger
import Wire

extension Call {
    /// `exportUser`: everything kept about a person, in pages where it does not fit one frame.
    static let exportUser = reading("exportUser", for: .admin) {
        (worker, params, _) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        var after: ExportCursor?
        if let text = try params.optionalText("cursor", bytesMax: MethodLimits.textBytesMax) {
            guard let cursor = ExportCursor(text) else {
                throw .invalid("cursor", "must be the cursor of the previous page")
            }
            after = cursor
        }
        let service = worker.service
        let bytesMax = service.settings.frameBytesMax
        return .work(.rows) { [after] (reader) throws(RPCFailure) in
            try service.settled(reader) { () throws(LedgerFailure) in
                var export = Export(of: user, reader, after: after, bytesMax: bytesMax)
                return try export.page()
            }
        }
    }
}
