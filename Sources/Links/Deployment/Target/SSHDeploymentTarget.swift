internal import MRS
internal import SSHTransport
internal import Synchronization
package import UAVLink
package import VehicleAccess

/// The vehicle's computer over its SSH session.
package final class SSHDeploymentTarget: DeploymentTarget {
    private let connector: VehicleConnector
    private let clock: any MonotonicClock
    private let watch: FlightWatch
    private let logIn: Duration
    /// Without a confirmed byte for this long an upload has failed: TCP resends for longer, but a radio that recovers does so sooner.
    private let stall: Duration

    /// The most that an upload may take: 12 MB at 100 kbit/s.
    private static let longestUpload: Duration = .seconds(1800)
    /// Between two looks at the progress of an upload.
    private static let look: Duration = .milliseconds(500)
    /// Heartbeats are sent ten times a second.
    private static let firstRoundTrip: Duration = .seconds(5)
    private static let roundTripLook: Duration = .milliseconds(20)
    /// More than a script prints.
    private static let longestOutput = 1 << 20

    /// A target by a connector, which is not closed here.
    ///
    /// - Parameters:
    ///   - logIn: timeout of the log-in.
    ///   - stall: without a confirmed byte for this long an upload has failed.
    package init(
        _ connector: VehicleConnector, logIn: Duration, stall: Duration = .seconds(20),
        clock: any MonotonicClock = SystemMonotonicClock()
    ) {
        self.connector = connector
        self.logIn = logIn
        self.stall = stall
        self.clock = clock
        watch = FlightWatch(clock: clock) { (kind, timeout) async throws(LinkError) in
            try await connector.connect(.only(kind), within: timeout)
        }
    }

    package func run(_ script: String, within timeout: Duration) async throws(DeploymentFailure) -> ProgramResult {
        do throws(LinkError) {
            let session = try await connector.session(within: logIn)
            return ProgramResult(
                RemoteResult(
                    try await session.run(
                        RemoteShell.posixLine(running: script), within: timeout, outputLimit: Self.longestOutput)))
        } catch {
            throw .link(error)
        }
    }

    package func runAfterSetup(
        _ program: String, _ arguments: [String], within timeout: Duration
    ) async throws(DeploymentFailure) -> ProgramResult {
        do throws(LinkError) {
            let inspection = try await connector.inspection(within: timeout)
            return ProgramResult(try await inspection.run(program, arguments, within: timeout))
        } catch {
            throw .link(error)
        }
    }

    package func upload(
        _ bytes: [UInt8], to path: String, progress: @escaping @Sendable (Int) -> Void
    ) async throws(DeploymentFailure) {
        let (clock, stall) = (clock, stall)
        let session: SSHSession
        do throws(LinkError) { session = try await connector.session(within: logIn) } catch { throw .link(error) }
        let progressed = LastProgress(clock.now)
        // A call that goes on without progress is ended by cancelling it.
        let outcome = await withTaskGroup(of: Result<Void, LinkError>?.self) { group -> Result<Void, LinkError>? in
            group.addTask {
                do throws(LinkError) {
                    try await session.upload(bytes, to: path, mode: 0o755, within: Self.longestUpload) { sent in
                        progressed.at.withLock { $0 = clock.now }
                        progress(sent.sent)
                    }
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                while clock.now < progressed.at.withLock({ $0 }) + stall {
                    guard (try? await clock.sleep(for: Self.look)) != nil else { return nil }
                }
                return nil
            }
            let first: Result<Void, LinkError>? = await group.next() ?? nil
            // The upload then removes what it has written, which is waited for here.
            group.cancelAll()
            return first
        }
        guard let outcome else {
            guard !Task.isCancelled else { throw .link(LinkError(.cancelled, "the upload was cancelled")) }
            throw .link(
                LinkError(
                    .timedOut, "the upload made no progress for \(Int(stall.inSeconds)) s",
                    hint: "check the network to the vehicle"))
        }
        do throws(LinkError) { try outcome.get() } catch { throw .link(error) }
    }

    package func flightCondition(hasCompanion: Bool, within timeout: Duration) async -> FlightCondition {
        await watch.condition(hasCompanion: hasCompanion, within: timeout)
    }

    package func endWatching() async { await watch.end() }

    package func proveChannel(within timeout: Duration) async throws(DeploymentFailure) -> ChannelProof {
        let deployed = connector.usingCompanion(VehicleProfile.deployedCompanion)
        var failure: LinkError?
        for kind in [LinkKind.udp, .tcp] {
            do throws(LinkError) {
                let link = try await deployed.connect(.only(kind), within: timeout)
                let proof = await roundTrip(over: link)
                await link.close()
                guard let proof else {
                    throw LinkError(
                        .timedOut, "the channel over \(kind.rawValue) is open, but nothing came back",
                        hint: "run 'uavlink doctor'")
                }
                return proof
            } catch {
                failure = failure ?? error
                // Both carriers begin with a ticket of the companion.
                let affectsBoth: [LinkError.Code] = [
                    .companionMissing, .companionUnavailable, .versionMismatch, .remoteFailed, .cancelled,
                ]
                if affectsBoth.contains(error.code) { break }
            }
        }
        throw .link(failure ?? LinkError(.unreachable, "no link was tried"))
    }

    private func roundTrip(over link: any UAVLink) async -> ChannelProof? {
        let deadline = clock.now + Self.firstRoundTrip
        while clock.now < deadline {
            let quality = link.quality
            if let trip = quality.roundTripMedian ?? quality.roundTrip {
                return ChannelProof(link: link.kind, roundTrip: trip, version: quality.companionVersion ?? "")
            }
            guard (try? await clock.sleep(for: Self.roundTripLook)) != nil else { return nil }
        }
        return nil
    }
}

/// When a byte of an upload was confirmed last: noted by one task, read by another.
private final class LastProgress: Sendable {
    let at: Mutex<MonotonicTime>

    init(_ now: MonotonicTime) {
        at = Mutex(now)
    }
}

extension ProgramResult {
    /// What a command over SSH printed.
    fileprivate init(_ result: RemoteResult) {
        self.init(status: result.exitStatus, output: result.outputText, errors: result.errorText)
    }
}
