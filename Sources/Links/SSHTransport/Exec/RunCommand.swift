package import UAVLink

extension SSHSession {
    /// The default output limit of one command, bytes; more is an error.
    package static let largestOutput = 64 * 1024 * 1024

    /// The longest command line, bytes: a longer one may not fit into one packet of every server; use the input instead.
    package static let longestCommandLine = 30_000

    /// Runs a command line in the user's login shell on the vehicle and waits for its end.
    ///
    /// - Parameters:
    ///   - input: the contents of its standard input.
    ///   - timeout: for the whole call. When it expires the channel is closed; the program is not killed, but finds its
    ///     input and outputs closed.
    ///   - outputLimit: the most bytes of both outputs together.
    /// - Throws: ``LinkError``: `timedOut`, `cancelled`, `notConnected` when the connection was lost, `remoteFailed` when
    ///   the server refuses to run it or the output exceeds `outputLimit`. A nonzero exit status is not an error.
    package func run(
        _ commandLine: String, input: [UInt8] = [], within timeout: Duration,
        outputLimit: Int = SSHSession.largestOutput
    ) async throws(LinkError) -> SSHCommandResult {
        let deadline = Deadline(in: timeout)
        let channel = try await start(commandLine, by: deadline)
        defer { channel.close() }
        channel.provideInput(input)
        return try await Self.collect(channel, by: deadline, outputLimit: outputLimit)
    }

    /// Collects a program's output until it ends.
    static func collect(_ channel: SSHChannel, by deadline: Deadline, outputLimit: Int) async throws(LinkError)
        -> SSHCommandResult
    {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        while let chunk = try await channel.read(by: deadline) {
            guard output.count + errors.count + chunk.bytes.count <= outputLimit else {
                throw LinkError(.remoteFailed, "the command wrote more than \(outputLimit) bytes")
            }
            switch chunk.stream {
            case .output: output += chunk.bytes
            case .error: errors += chunk.bytes
            }
        }
        let exit = channel.exit
        return SSHCommandResult(
            exitStatus: exit?.status, exitSignal: exit?.signal, standardOutput: output, standardError: errors)
    }

    /// Starts a command line in the user's login shell on the vehicle and returns when it runs: for programs that write
    /// continuously, such as `rostopic echo`.
    ///
    /// - Parameter timeout: for the start.
    /// - Throws: ``LinkError`` as ``run(_:input:within:outputLimit:)``.
    package func start(_ commandLine: String, within timeout: Duration) async throws(LinkError) -> SSHChannel {
        try await start(commandLine, by: Deadline(in: timeout))
    }

    /// - Parameters:
    ///   - secretOutput: the most bytes of standard output, where that is a secret.
    ///   - isWanted: asked when the channel is open, just before the command line is sent.
    func start(
        _ commandLine: String, by deadline: Deadline, secretOutput: Int? = nil,
        isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(LinkError) -> SSHChannel {
        guard !commandLine.utf8.contains(0) else {
            throw LinkError(.invalidInput, "the command line contains a NUL character")
        }
        guard commandLine.utf8.count <= Self.longestCommandLine else {
            throw LinkError(
                .invalidInput, "a command line of \(commandLine.utf8.count) bytes is too long for SSH",
                hint: "the limit is \(Self.longestCommandLine) bytes; pass the rest as the command's input")
        }
        return try await open(
            .command(commandLine, isWanted: isWanted), by: deadline, secretOutput: secretOutput)
    }
}
