/// The first byte of a frame's plaintext.
package enum FrameKind: UInt8, CaseIterable {
    /// Times and counters, both ways.
    case heartbeat = 0x01
    /// The sender ends the session, both ways.
    case goodbye = 0x02
    /// A velocity setpoint, up.
    case steering = 0x10
    /// A command, up.
    case command = 0x20
    /// The companion has received the command and executes it, down.
    case commandReceived = 0x21
    /// The answer to a command, down.
    case commandAnswer = 0x22
    /// Asks for the state of a command, up.
    case commandQuery = 0x23
    /// A question, up.
    case question = 0x24
    /// The answer to a question, down.
    case questionAnswer = 0x25
    /// A command with the number of stops that its ground knew of, up.
    case orderedCommand = 0x26
    /// Fast telemetry, down.
    case state = 0x30
    /// Slow telemetry, down.
    case details = 0x31
    /// Messages of the vehicle, down.
    case messages = 0x32
    /// Range finder and topic rates, down.
    case extras = 0x33
    /// Control status, down.
    case control = 0x34
    /// How many stops the companion has begun, down.
    case stops = 0x35
    /// A fragment of a command (up) or answer (down) that does not fit in a frame.
    case fragment = 0x40
    /// Acknowledges received fragments.
    case fragmentReceived = 0x41
    /// Refuses a transfer.
    case fragmentRefused = 0x42
    /// Requests the companion's trace records, up.
    case traceRequest = 0x50
    /// The companion's trace records, down.
    case trace = 0x51
}

/// The first byte of a handshake's plaintext.
enum HandshakeKind: UInt8 {
    /// The ground opens the session.
    case hello = 0x01
    /// The companion's answer.
    case welcome = 0x02
}
