package import MRS
package import Secrets
package import UAVLink

extension SSHSession {
    /// Runs a command line of `MRS` until it ends or the timeout expires; the latter ends an abortable command.
    ///
    /// - Throws: ``LinkError`` as ``run(_:input:within:outputLimit:)``.
    package func run(_ command: RemoteCommand, within timeout: Duration) async throws(LinkError) -> RemoteResult {
        let deadline = Deadline(in: timeout)
        let channel = try await start(command.line, by: deadline)
        defer { channel.close() }
        return try await Self.finish(command, on: channel, by: deadline, outputLimit: Self.largestOutput)
    }

    /// The most output that is taken as a secret, bytes: a ticket has some 200, what greets before it a few thousand.
    private static let largestSecret = 64 * 1024
    /// The failure of a command that wrote more.
    package static let tooMuchOutput = LinkError(.remoteFailed, "the command wrote more than \(largestSecret) bytes")

    /// Runs a command line of `MRS` whose standard output has a secret until it ends; otherwise as ``run(_:within:)``.
    ///
    /// From the SSH library on, the output lies in memory that is wiped. What cannot be wiped are the library's own buffers: the
    /// packet as it was decrypted lies there until other packets overwrite it, or the session ends.
    ///
    /// - Returns: the result without its standard output, and that.
    /// - Throws: ``LinkError`` as ``run(_:within:)``; `remoteFailed` also for more than 64 kB of output.
    package func runForSecret(
        _ command: RemoteCommand, within timeout: Duration
    ) async throws(LinkError) -> (result: RemoteResult, output: SecretBytes) {
        let deadline = Deadline(in: timeout)
        let channel = try await start(command.line, by: deadline, secretOutput: Self.largestSecret)
        defer { channel.close() }
        let result = try await Self.finish(command, on: channel, by: deadline, outputLimit: Self.largestOutput)
        guard let output = channel.takeSecretOutput() else { throw Self.tooMuchOutput }
        return (result, output)
    }

    /// Runs a command line of `MRS` until it ends. Closing the channel, also through `register`, aborts it.
    ///
    /// - Parameter moment: when the decision to run it was made; `nil` means now. A closing of `register` since then aborts it.
    /// - Parameter isWanted: asked just before it is sent; it is not if that has changed.
    func run(
        _ command: RemoteCommand, by deadline: Deadline, outputLimit: Int, register: ChannelRegister,
        begunAt moment: ChannelRegister.Moment? = nil, isWanted: @escaping @Sendable () -> Bool = { true }
    ) async throws(LinkError) -> RemoteResult {
        let moment = moment ?? register.now
        // Ended before it began, as while its request was uploaded: nothing is started on the vehicle.
        guard register.now == moment else { throw ChannelRecord.closed }
        let channel = try await start(command.line, by: deadline) { register.now == moment && isWanted() }
        register.add(channel, begunAt: moment)
        defer {
            register.remove(channel)
            channel.close()
        }
        return try await Self.finish(command, on: channel, by: deadline, outputLimit: outputLimit)
    }

    private static func finish(
        _ command: RemoteCommand, on channel: SSHChannel, by deadline: Deadline, outputLimit: Int
    ) async throws(LinkError) -> RemoteResult {
        if case .bytes(let bytes) = command.input { channel.provideInput(bytes) }
        return RemoteResult(try await collect(channel, by: deadline, outputLimit: outputLimit))
    }
}

extension RemoteResult {
    /// The result of a command that was run over SSH.
    package init(_ result: SSHCommandResult) {
        self.init(
            standardOutput: result.standardOutput, standardError: result.standardError,
            exitStatus: result.exitStatus.map(Int.init), signal: result.exitSignal)
    }
}
