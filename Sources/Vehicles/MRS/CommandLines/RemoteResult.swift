/// The result of a command run on the vehicle.
public struct RemoteResult: Hashable, Sendable {
    /// What it wrote to standard output.
    public var standardOutput: [UInt8]
    /// What it wrote to standard error.
    public var standardError: [UInt8]
    /// Its exit status; `nil` if it was ended by a signal or the status is unknown.
    public var exitStatus: Int?
    /// The signal that ended it, `KILL` for example.
    public var signal: String?

    /// Creates a result.
    public init(standardOutput: [UInt8], standardError: [UInt8] = [], exitStatus: Int? = 0, signal: String? = nil) {
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.exitStatus = exitStatus
        self.signal = signal
    }

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    public var outputText: String { String(decoding: standardOutput, as: UTF8.self) }

    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    public var errorText: String { String(decoding: standardError, as: UTF8.self) }
}
