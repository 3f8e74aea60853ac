internal import MRSMessages
internal import ROS1
package import ROSMessages
internal import Synchronization
package import UAVLink
internal import TextSearch

/// Persistent connections to the vehicle's services. Each is opened by its first call, the vital ones in advance.
final class VehicleServices: Sendable {
    /// The client of one service, with its type erased.
    struct Line: Sendable {
        let call: @Sendable (ServiceCall, Duration, MonotonicProgress?) async throws(ROSError) -> CommandReply
        let begin:
            @Sendable (ServiceCall, Duration, @escaping @Sendable (Result<CommandReply, ROSError>) -> Void) ->
                CommandRecall?
        let connect: @Sendable (Duration) async throws(ROSError) -> Void
        let isConnected: @Sendable () -> Bool
    }

    /// When the vital connections are checked next.
    private struct VitalCheck {
        var isUnderWay = false
        var nextAt = ContinuousClock.now
    }

    private let node: ROSNode
    private let names: VehicleNames
    private let lines = Mutex<[VehicleService: Line]>([:])
    private let vitalCheck = Mutex(VitalCheck())

    /// Commands that stop the vehicle or bring it back. They must reach it even if no master is left to look up its
    /// services.
    private static let vital: [Command] = [
        .hover, .land, .landHome, .emergencyHover, .emergencyLand, .stopTrajectory, .altitude(metres: 0),
        .goTo(.init(.frame(.current), position: .zero, headingRadians: 0)),
        .goTo(.init(.relative, position: .zero, headingRadians: 0)),
    ]
    private static let checkPeriod: Duration = .seconds(1)
    /// The pause after a failure: a vehicle need not offer all of them.
    private static let recheck: Duration = .seconds(10)

    init(node: ROSNode, names: VehicleNames) {
        self.node = node
        self.names = names
    }

    /// Calls a service and returns the vehicle's answer; an error response of the service's node is a refusal.
    func perform(
        _ call: ServiceCall, within timeout: Duration, report: MonotonicProgress? = nil
    ) async throws(LinkError) -> CommandReply {
        do { return try await line(for: call).call(call, timeout, report) } catch {
            return try reply(to: call, failed: error)
        }
    }

    /// The same with a callback: `answer` is called on the node's I/O thread, or immediately on this one.
    ///
    /// - Returns: takes the call back while its connection is opened; `nil` if it was sent, or has failed.
    func perform(
        _ call: ServiceCall, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) -> CommandRecall? {
        let take: @Sendable (Result<CommandReply, ROSError>) -> Void = { [self] result in
            answer(
                Result { () throws(LinkError) in
                    do throws(ROSError) { return try result.get() } catch { return try reply(to: call, failed: error) }
                })
        }
        do { return try line(for: call).begin(call, timeout, take) } catch {
            take(.failure(error))
            return nil
        }
    }

    /// Opens the vital connections that are not open; may be called at any rate while the vehicle is being received.
    func keepVitalConnected() {
        let isDue = vitalCheck.withLock { look in
            guard !look.isUnderWay, look.nextAt <= .now else { return false }
            look.isUnderWay = true
            return true
        }
        guard isDue else { return }
        let closed = disconnectedVital()
        guard !closed.isEmpty else { return recheck(in: Self.checkPeriod) }
        Task { [weak self] in
            var hasFailed = false
            for line in closed {
                do { try await line.connect(Self.recheck) } catch { hasFailed = true }
            }
            self?.recheck(in: hasFailed ? Self.recheck : Self.checkPeriod)
        }
    }

    /// The vital services without an open connection.
    func disconnectedVital() -> [Line] {
        Self.vital.compactMap { command in
            (try? ServiceCall(command)).flatMap { try? line(for: $0) }.flatMap { $0.isConnected() ? nil : $0 }
        }
    }

    private func recheck(in pause: Duration) {
        vitalCheck.withLock { $0 = VitalCheck(nextAt: .now + pause) }
    }

    private func line(for call: ServiceCall) throws(ROSError) -> Line {
        try lines.withLock { lines throws(ROSError) in
            if let known = lines[call.service] { return known }
            let made = try make(for: call)
            lines[call.service] = made
            return made
        }
    }

    private func reply(to call: ServiceCall, failed error: ROSError) throws(LinkError) -> CommandReply {
        let name = names.name(of: call.service)
        guard error.code == .serviceFailed else { throw LinkError(error, calling: name) }
        // The client's placeholder for a missing reason counts as no reason.
        return call.refusal(error.what == "\(name) failed without a reason" ? "" : error.what)
    }

    private func make(for call: ServiceCall) throws(ROSError) -> Line {
        let name = names.name(of: call.service)
        // A service's name determines the type of its request, so every later call has the same type.
        switch call.request {
        case .trigger:
            return try make(StdSrvs.Trigger.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .bool: return try make(StdSrvs.SetBool.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .number: return try make(MRSMsgs.Vec1.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .place: return try make(MRSMsgs.Vec4.self, name) { $0.reply(accepted: $1.success, message: $1.message) }
        case .reference:
            return try make(MRSMsgs.ReferenceStampedSrv.self, name) {
                $0.reply(accepted: $1.success, message: $1.message)
            }
        case .trajectory:
            return try make(MRSMsgs.TrajectoryReferenceSrv.self, name) {
                $0.reply(accepted: $1.success, message: $1.message, modified: $1.modified)
            }
        case .velocity:
            return try make(MRSMsgs.VelocityReferenceStampedSrv.self, name) {
                $0.reply(accepted: $1.success, message: $1.message)
            }
        }
    }

    private func make<Service: ROSService>(
        _ type: Service.Type, _ name: String,
        reply: @escaping @Sendable (ServiceCall, Service.Response) -> CommandReply
    ) throws(ROSError) -> Line {
        let client = try node.serviceClient(name, type: type)
        @Sendable func request(_ call: ServiceCall) throws(ROSError) -> Service.Request {
            guard let request = call.message as? Service.Request else {
                throw ROSError(.misuse, "\(name) is called with two types")
            }
            return request
        }
        return Line(
            call: { (call, timeout, report) async throws(ROSError) -> CommandReply in
                reply(
                    call,
                    try await client.call(try request(call), within: timeout, progress: report.map { $0.reach }))
            },
            begin: { call, timeout, answer in
                do throws(ROSError) {
                    return client.begin(try request(call), within: timeout) { answer($0.map { reply(call, $0) }) }
                } catch {
                    answer(.failure(error))
                    return nil
                }
            },
            connect: { timeout async throws(ROSError) in try await client.connect(within: timeout) },
            isConnected: { client.isConnected })
    }
}

extension LinkError {
    /// Maps an error of the ROS graph to an error of the link.
    package init(_ error: ROSError, calling service: String? = nil) {
        let code: Code =
            switch error.code {
            case .invalidName, .invalidConfiguration: .invalidInput
            case .masterUnreachable: .rosMasterUnreachable
            case .noProvider, .unreachable: .serviceMissing
            case .typeMismatch: .typeMismatch
            case .cancelled: .cancelled
            case .closed: .closed
            case .refused, .serviceFailed: .remoteFailed
            // After these it is unknown whether the vehicle acted, which is what `timedOut` means.
            case .timedOut, .connectionLost: .timedOut
            case .protocolViolation, .tooLarge: service == nil ? .protocolViolation : .timedOut
            case .misuse, .systemFailure, .badBag: .internalFault
            }
        let hint =
            switch error.code {
            case .noProvider where error.hint.isEmpty: "is the flight stack running, and is the vehicle's name right?"
            case .unreachable where error.hint.isEmpty:
                "the node may have crashed, or ROS_IP or ROS_HOSTNAME of the vehicle names an address unreachable here"
            case .timedOut where service != nil && error.hint.isEmpty:
                "it is unknown whether the vehicle acted: check its state before retrying"
            default: error.hint
            }
        var what = error.what
        if error.code == .timedOut, let service, !what.includes(service) { what = "\(service): \(what)" }
        self.init(code, what, hint: hint)
    }
}
