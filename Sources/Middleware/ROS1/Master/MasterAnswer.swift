/// Master and nodes answer everything with `[code, text, value]`; 1 means done.
enum MasterAnswer {
    /// The value of an answer that says that it was done.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/refused`` with the peer's text, or ``ROSError/Code/protocolViolation``.
    static func value(of response: XMLRPCResponse, from peer: String) throws(ROSError) -> XMLRPCValue {
        switch response {
        case .fault(_, let text): throw ROSError(.refused, "\(peer) cannot do it: \(text)")
        case .value(let value):
            guard let parts = value.arrayValue, parts.count == 3, let code = parts[0].intValue else {
                throw ROSError(.protocolViolation, "\(peer) answered \(value.kind) that is not [code, text, value]")
            }
            guard code == 1 else { throw ROSError(.refused, "\(peer) refused: \(parts[1].stringValue ?? "")") }
            return parts[2]
        }
    }

    /// The answer to give.
    static func done(_ value: XMLRPCValue, _ text: String = "") -> XMLRPCResponse {
        .value(.array([.int(1), .string(text), value]))
    }

    /// The answer to a call that is wrong (-1) or failed (0).
    static func refused(_ text: String, code: Int = -1) -> XMLRPCResponse {
        .value(.array([.int(code), .string(text), .int(0)]))
    }
}
