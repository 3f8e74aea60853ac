public import SSHTransport
public import UAVLink
public import VehicleAccess

/// Runs a command on the vehicle over SSH and hands its output on as it comes.
public struct RemoteCommandInteractor: Sendable {
    private let connector: VehicleConnector
    private let timeout: Duration

    /// An interactor for the vehicle of a connector.
    ///
    /// - Parameter timeout: how long log-in and the command's start may take; the command itself may run for as long as
    ///   it wants and ends with the task.
    public init(connector: VehicleConnector, timeout: Duration) {
        self.connector = connector
        self.timeout = timeout
    }

    /// A command that says nothing for this long is asked after nothing: the wait just begins anew.
    private static let quietWait: Duration = .seconds(60)

    /// Runs a command line in the login shell of the vehicle.
    ///
    /// - Parameters:
    ///   - input: what it is to find on its standard input; `nil` for nothing.
    ///   - onOutput: told each piece of output, in order.
    /// - Returns: how it ended; `nil` when the server did not say.
    /// - Throws: ``LinkError``: no session, or `cancelled`; a command that fails is no error.
    public func run(
        _ commandLine: String, input: AsyncStream<[UInt8]>? = nil, onOutput: (SSHChunk) -> Void
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
                guard let chunk = try await channel.read(within: Self.quietWait) else { return channel.exit }
                onOutput(chunk)
            } catch  where error.code == .timedOut {
                continue
            }
        }
    }

    private static func feed(_ input: AsyncStream<[UInt8]>?, to channel: SSHChannel) async {
        guard let input else { return channel.finishWriting() }
        for await bytes in input {
            // The reader learns why when the channel is gone; nothing is to be done here.
            guard (try? await channel.write(bytes, within: quietWait)) != nil else { return }
        }
        channel.finishWriting()
    }
}
