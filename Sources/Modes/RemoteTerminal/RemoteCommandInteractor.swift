package import SSHTransport
package import UAVLink
package import VehicleAccess

/// Runs a command on the vehicle over SSH and passes its output on as it arrives.
package struct RemoteCommandInteractor: Sendable {
    private let connector: VehicleConnector
    private let timeout: Duration

    /// Creates an interactor for a connector's vehicle.
    ///
    /// - Parameter timeout: for login and the start of the command; the command itself may run indefinitely and ends
    ///   with the task.
    package init(connector: VehicleConnector, timeout: Duration) {
        self.connector = connector
        self.timeout = timeout
    }

    /// A silent command is not an error: the wait restarts after this time.
    private static let readTimeout: Duration = .seconds(60)

    /// Runs a command line in the vehicle's login shell.
    ///
    /// - Parameters:
    /// - input: its standard input; `nil` for none.
    /// - whenInterrupted: ends a command that was started when the task is cancelled, within 5 s, and is called with how that went; the
    ///   session must have no other command. `nil`: it goes on.
    /// - onOutput: called with each chunk of output, in order.
    /// - Returns: how it ended; `nil` if the server did not report it.
    /// - Throws: ``LinkError``: no session, or `cancelled`; a failing command is not an error.
    package func run(
        _ commandLine: String, input: AsyncStream<[UInt8]>? = nil,
        whenInterrupted: ((Result<Void, LinkError>) -> Void)? = nil, onOutput: (SSHChunk) -> Void
    ) async throws(LinkError) -> SSHExit? {
        let session = try await connector.session(within: timeout)
        let channel = try await session.start(commandLine, within: timeout)
        let feeding = Task { await Self.feed(input, to: channel) }
        defer {
            feeding.cancel()
            channel.close()
        }
        while true {
            do {
                guard let chunk = try await channel.read(within: Self.readTimeout) else { return channel.exit }
                onOutput(chunk)
            } catch  where error.code == .timedOut {
                continue
            } catch {
                if let whenInterrupted, error.code == .cancelled {
                    whenInterrupted(await Self.endCommands(of: session))
                }
                throw error
            }
        }
    }

    /// Ends the commands of a session; in a task of its own, since the caller's is cancelled.
    private static func endCommands(of session: SSHSession) async -> Result<Void, LinkError> {
        await Task { () async -> Result<Void, LinkError> in
            do throws(LinkError) {
                try await session.endSiblingCommands(within: endTimeout)
                return .success(())
            } catch {
                return .failure(error)
            }
        }.value
    }

    private static let endTimeout: Duration = .seconds(5)

    private static func feed(_ input: AsyncStream<[UInt8]>?, to channel: SSHChannel) async {
        guard let input else { return channel.finishWriting() }
        for await bytes in input {
            // If the channel is closed, the reader gets the error; nothing to do here.
            guard (try? await channel.write(bytes, within: readTimeout)) != nil else { return }
        }
        channel.finishWriting()
    }
}
