/// The keys that are not for the shell: `~` and another one at the beginning of a line, as ssh has them.
public struct EscapeKeys {
    /// What the person wants besides typing.
    public enum Action: Sendable {
        /// The end of the connection, whatever the shell does.
        case hangUp
        /// To be told of these keys.
        case explain
    }

    /// What ``Action/explain`` shows; for a terminal that is raw.
    public static let explanation = Array("~?\r\n~.  hang up\r\n~~  send one ~\r\n~?  this\r\n".utf8)

    private var isLineStart = true
    private var sawTilde = false

    /// At the beginning of a line.
    public init() {}

    /// What of the bytes is to be sent, and what is to be done then; what follows a hang-up is dropped.
    public mutating func feed(_ bytes: [UInt8]) -> (send: [UInt8], action: Action?) {
        var send: [UInt8] = []
        var action: Action?
        for byte in bytes {
            if sawTilde {
                sawTilde = false
                switch byte {
                case UInt8(ascii: "."): return (send, .hangUp)
                case UInt8(ascii: "?"):
                    action = .explain
                    isLineStart = true
                    continue
                case UInt8(ascii: "~"): break
                default: send.append(UInt8(ascii: "~"))
                }
            } else if isLineStart, byte == UInt8(ascii: "~") {
                sawTilde = true
                continue
            }
            send.append(byte)
            isLineStart = byte == 0x0D || byte == 0x0A
        }
        return (send, action)
    }
}
