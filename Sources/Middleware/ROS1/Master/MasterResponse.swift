internal import ROSMessages
internal import XMLRPC

/// The answer of the master and slave APIs: `[code, text, value]`, where code 1 is success.
enum MasterResponse {
    /// The value of a successful answer.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/refused`` with the peer's text, or ``ROSError/Code/protocolViolation``.
    static func value(of response: XMLRPCResponse, from peer: String) throws(ROSError) -> XMLRPCValue {
        switch response {
        case .fault(_, let text): throw ROSError(.refused, "\(peer) returned a fault: \(text)")
        case .value(let value):
            guard let parts = value.arrayValue, parts.count == 3, let code = parts[0].intValue else {
                throw ROSError(.protocolViolation, "\(peer) answered with \(value.kind), not with [code, text, value]")
            }
            guard code == 1 else { throw ROSError(.refused, "\(peer) refused: \(parts[1].stringValue ?? "")") }
            return parts[2]
        }
    }

    /// A successful answer.
    static func done(_ value: XMLRPCValue, _ text: String = "") -> XMLRPCResponse {
        .value(.array([.int(1), .string(text), value]))
    }

    /// The answer to an invalid call (-1) or a failed one (0).
    static func refused(_ text: String, code: Int = -1) -> XMLRPCResponse {
        .value(.array([.int(code), .string(text), .int(0)]))
    }
}
