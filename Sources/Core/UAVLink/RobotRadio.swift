/// The radio of a link to a robot whose board is chosen among those in range. None of these calls waits.
public protocol RobotRadio: Sendable {
    /// What is known of the radio now.
    var radioState: RobotRadioState { get }
    /// Listens which boards are in range, for a minute or until ``stopScan()``; does nothing if it listens already.
    func startScan()
    /// Ends that.
    func stopScan()
    /// Stops the robot that is connected and leaves it, if it is another one; then connects to the board with that address. The
    /// connected one is left alone.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput`` for anything but an address, ``LinkError/Code/closed``.
    func choose(_ address: String) throws(LinkError)
    /// Stops the robot, and leaves its board: nothing is tried again until one is chosen.
    func leave() throws(LinkError)
}

/// What is known of a robot's radio.
public struct RobotRadioState: Hashable, Sendable {
    /// Whether it listens for boards.
    public var isScanning = false
    /// The boards that were heard, the strongest first.
    public var boards: [RobotBoard] = []
    /// Why it does not listen; `nil` if nothing has failed.
    public var problem: String?
    /// What is done to connect; `nil` if nothing is.
    public var progress: String?

    /// The most boards that are listed.
    public static let mostBoards = 64

    /// A radio of which nothing is known.
    public init() {}
}

/// A board in range.
public struct RobotBoard: Hashable, Sendable {
    /// `AA:BB:CC:DD:EE:FF`.
    public var address: String
    /// What it calls itself; `nil` if it does not. Untrusted text.
    public var name: String?
    /// How strong it is heard, dBm.
    public var rssi: Int?
    /// Whether it is connected to this computer.
    public var isConnected: Bool

    /// A board.
    public init(address: String, name: String? = nil, rssi: Int? = nil, isConnected: Bool = false) {
        self.address = address
        self.name = name
        self.rssi = rssi
        self.isConnected = isConnected
    }
}

extension RobotLink {
    /// The radio, if the board is chosen among those in range; none on a cable.
    public var radio: (any RobotRadio)? { nil }
}
