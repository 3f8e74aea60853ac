package import BlueZ

/// What a board is over Bluetooth LE.
package enum BlunoBoard {
    /// Its service, and the two characteristics in it.
    static let service = LEUUID.full("dfb0")
    /// What the Arduino's serial port takes and sends.
    static let serial = LEUUID.full("dfb1")
    /// Lines for the radio's own program.
    static let commands = LEUUID.full("dfb2")
    /// The model in Device Information.
    static let model = LEUUID.full("2a24")

    /// How a board is known among the devices in range.
    package static let kind = LECentral.Kind(name: "Bluno", service: service, names: ["bluno", "dfbleduino"])

    /// The most bytes of a packet: the CC2540 does not negotiate more.
    static let mostBytes = 20
    /// Packets that may be on their way at once: a stop waits behind them.
    static let mostPackets = 4
    /// How long a packet without an answer is taken to be on its way: BlueZ answers as soon as it has queued it.
    static let packetTime: Duration = .milliseconds(10)
    /// With those of a stop.
    static let mostPacketsWithStop = 16
}

/// What is said to a board before its serial port is used: as DFRobot's own programs do it.
///
/// A board whose model says that it is a Bluno gets its password and the speed of its Arduino's port. Boards that only look like one
/// get neither; without an answer of the radio's program the port is used as it is.
struct BlunoGreeting: Hashable, Sendable {
    enum Step: Hashable, Sendable {
        case model
        case command(Int)
        case subscription
        case done
    }

    /// The password guards the radio's settings only; it is spelt so. The speed holds until the board is switched off.
    static let lines = ["AT+PASSWOR=DFRobot\r\n", "AT+CURRUART=115200\r\n"]

    private(set) var step = Step.model
    /// What the board says that it is, cut. Untrusted.
    private(set) var model: String?
    private let hasCommands: Bool

    /// - Parameters:
    ///   - hasModel: whether the board has the characteristic of its model.
    ///   - hasCommands: whether it has that of the radio's program.
    init(hasModel: Bool, hasCommands: Bool) {
        self.hasCommands = hasCommands
        if !hasModel { step = .subscription }
    }

    /// The model was read, or cannot be.
    mutating func take(model bytes: [UInt8]?) {
        guard step == .model else { return }
        model = bytes.map { String(decoding: $0.prefix(64).prefix { $0 != 0 }, as: UTF8.self) }
        let isBluno = model?.lowercased().hasPrefix("df bluno") ?? false
        step = isBluno && hasCommands ? .command(0) : .subscription
    }

    /// A line was taken, or refused.
    mutating func wrote(successfully: Bool) {
        guard case .command(let index) = step else { return }
        step = successfully && index + 1 < Self.lines.count ? .command(index + 1) : .subscription
    }

    /// What the board sends will come.
    mutating func subscribed() { if step == .subscription { step = .done } }
}
