public import UAVCore
internal import UAVLink

extension SSHSession {
    /// Runs one of UAVCore's command lines to its end. Closing the channel, which `register` can do, aborts it.
    ///
    /// - Parameter moment: when it was decided upon; `nil` for now. What `register` closed since then is not begun.
    func run(
        _ command: RemoteCommand, by deadline: Deadline, outputLimit: Int, register: ChannelRegister,
        begunAt moment: ChannelRegister.Moment? = nil
    ) async throws(LinkError) -> RemoteResult {
        let moment = moment ?? register.now
        let channel = try await start(command.line, by: deadline)
        register.add(channel, begunAt: moment)
        defer {
            register.remove(channel)
            channel.close()
        }
        if case .bytes(let bytes) = command.input { channel.provideInput(bytes) }
        return RemoteResult(try await Self.collect(channel, by: deadline, outputLimit: outputLimit))
    }
}

extension RemoteResult {
    /// How a command ended that was run over SSH.
    public init(_ result: SSHCommandResult) {
        self.init(
            standardOutput: result.standardOutput, standardError: result.standardError,
            exitStatus: result.exitStatus.map(Int.init), signal: result.exitSignal)
    }
}
