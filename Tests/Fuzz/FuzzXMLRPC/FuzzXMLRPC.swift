import FuzzKit
import XMLRPC

/// Any bytes as an HTTP message with an XML-RPC document, in two splits, and as a document alone: what is read is
/// written so that it reads as the same again.
@main enum FuzzXMLRPC: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        document(bytes)
        for role in [HTTPParser.Role.requests, .answers] {
            precondition(messages(bytes, role, step: 3) == messages(bytes, role, step: .max), "the split matters")
        }
    }

    private static func messages(_ bytes: [UInt8], _ role: HTTPParser.Role, step: Int) -> [HTTPMessage] {
        var parser = HTTPParser(role)
        var found: [HTTPMessage] = []
        var start = 0
        while start < bytes.count {
            let part = bytes[start...].prefix(step)
            start += part.count
            parser.feed(part)
            do { while let message = try parser.next() { found.append(message) } } catch { return found }
        }
        if let last = try? parser.end() { found.append(last) }
        for message in found { document(message.body) }
        return found
    }

    private static func document(_ bytes: [UInt8]) {
        if let call = try? XMLRPCDecoder.call(bytes), isWritable(call.parameters) {
            precondition((try? XMLRPCDecoder.call(XMLRPCEncoder.encode(call))) == call, "\(call)")
        }
        if let response = try? XMLRPCDecoder.response(bytes) {
            if case .value(let value) = response, !isWritable([value]) { return }
            precondition((try? XMLRPCDecoder.response(XMLRPCEncoder.encode(response))) == response, "\(response)")
        }
    }

    /// A value that is not a number differs from itself, and dates are trimmed.
    private static func isWritable(_ values: [XMLRPCValue]) -> Bool {
        values.allSatisfy { value in
            switch value {
            case .double(let number): number.isFinite
            case .array(let elements): isWritable(elements)
            case .structure(let members): isWritable(Array(members.values))
            default: true
            }
        }
    }
}
