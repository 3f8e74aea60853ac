/// Keys that are not sent to the shell: `~` and a second key at the beginning of a line, as in ssh.
package struct EscapeKeys {
    /// What an escape key requests.
    package enum Action: Sendable {
        /// Close the connection, whatever the shell does.
        case hangUp
        /// Show these keys.
        case explain
    }

    /// The text for ``Action/explain``, for a terminal in raw mode.
    package static let explanation = Array("~?\r\n~.  hang up\r\n~~  send one ~\r\n~?  this\r\n".utf8)

    private var isLineStart = true
    private var sawTilde = false

    /// Starts at the beginning of a line.
    package init() {}

    /// The bytes to send, and the action after them; what follows a hang-up is dropped.
    package mutating func feed(_ bytes: [UInt8]) -> (send: [UInt8], action: Action?) {
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
