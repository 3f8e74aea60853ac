internal import ReportKit

/// Encodes XML-RPC documents.
public enum XMLRPCEncoder {
    /// Encodes a `methodCall`.
    public static func encode(_ call: XMLRPCCall) -> [UInt8] {
        var out = "<?xml version=\"1.0\"?><methodCall><methodName>"
        appendText(call.method, to: &out)
        out += "</methodName><params>"
        for parameter in call.parameters {
            out += "<param>"
            append(parameter, to: &out)
            out += "</param>"
        }
        out += "</params></methodCall>"
        return Array(out.utf8)
    }

    /// Encodes a `methodResponse`.
    public static func encode(_ response: XMLRPCResponse) -> [UInt8] {
        var out = "<?xml version=\"1.0\"?><methodResponse>"
        switch response {
        case .value(let value):
            out += "<params><param>"
            append(value, to: &out)
            out += "</param></params>"
        case .fault(let code, let text):
            out += "<fault>"
            append(.structure(["faultCode": .int(code), "faultString": .string(text)]), to: &out)
            out += "</fault>"
        }
        out += "</methodResponse>"
        return Array(out.utf8)
    }

    private static func append(_ value: XMLRPCValue, to out: inout String) {
        out += "<value>"
        switch value {
        case .int(let number):
            // `int` has 32 bits; `i8` is the common 64-bit extension.
            let tag = Int32(exactly: number) == nil ? "i8" : "int"
            out += "<\(tag)>\(number)</\(tag)>"
        case .bool(let truth): out += "<boolean>\(truth ? 1 : 0)</boolean>"
        case .double(let number): out += "<double>\(number)</double>"
        case .string(let text):
            out += "<string>"
            appendText(text, to: &out)
            out += "</string>"
        case .dateTime(let text):
            out += "<dateTime.iso8601>"
            appendText(text, to: &out)
            out += "</dateTime.iso8601>"
        case .binary(let bytes): out += "<base64>\(Base64.encode(bytes))</base64>"
        case .array(let elements):
            out += "<array><data>"
            for element in elements { append(element, to: &out) }
            out += "</data></array>"
        case .structure(let members):
            out += "<struct>"
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                out += "<member><name>"
                appendText(name, to: &out)
                out += "</name>"
                append(member, to: &out)
                out += "</member>"
            }
            out += "</struct>"
        }
        out += "</value>"
    }

    private static func appendText(_ text: String, to out: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\r": out += "&#13;"
            case "\t", "\n", " "..."\u{FFFD}", "\u{10000}"...: out.unicodeScalars.append(scalar)
            default: out += "\u{FFFD}"  // XML 1.0 cannot represent the other control characters.
            }
        }
    }
}
