/// The first byte of a frame's plaintext.
enum FrameKind: UInt8, CaseIterable {
    /// Times and counters, both ways.
    case heartbeat = 0x01
    /// The sender ends the session, both ways.
    case goodbye = 0x02
    /// A velocity setpoint, up.
    case steering = 0x10
    /// A command, up.
    case command = 0x20
    /// The companion has the command and works on it, down.
    case commandReceived = 0x21
    /// The answer to a command, down.
    case commandAnswer = 0x22
    /// What has become of a command? Up.
    case commandQuery = 0x23
    /// A question, up.
    case question = 0x24
    /// The answer to a question, down.
    case questionAnswer = 0x25
    /// Telemetry that changes fast, down.
    case state = 0x30
    /// Telemetry that changes slowly, down.
    case details = 0x31
    /// What the vehicle said, down.
    case messages = 0x32
    /// Range finder and topic rates, down.
    case extras = 0x33
    /// Who flies, down.
    case control = 0x34
    /// A piece of a command (up) or an answer (down) that does not fit a frame.
    case fragment = 0x40
    /// Which pieces have come.
    case fragmentReceived = 0x41
    /// The whole is refused.
    case fragmentRefused = 0x42
    /// The ground wants to know when things happened at the companion, up.
    case traceRequest = 0x50
    /// When things happened at the companion, down.
    case trace = 0x51
}

/// The first byte of a handshake's plaintext.
enum HandshakeKind: UInt8 {
    /// The ground opens the session.
    case hello = 0x01
    /// The companion's answer.
    case welcome = 0x02
}
