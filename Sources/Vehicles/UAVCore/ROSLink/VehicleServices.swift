internal import ROS1
internal import Synchronization
internal import UAVLink

/// Kept connections to the vehicle's services, each made at its first call; the vital ones ahead of it.
final class VehicleServices: Sendable {
    /// One service, called in two ways.
    struct Line: Sendable {
        let call: @Sendable (ServiceCall, Duration, ForwardProgress?) async throws(ROSError) -> CommandReply
        let begin:
            @Sendable (ServiceCall, Duration, @escaping @Sendable (Result<CommandReply, ROSError>) -> Void) -> Void
        let connect: @Sendable (Duration) async throws(ROSError) -> Void
        let isConnected: @Sendable () -> Bool
    }

    /// When the vital connections are to be looked at next.
    private struct VitalLook {
        var isUnderWay = false
        var nextAt = ContinuousClock.now
    }

    private let node: ROSNode
    private let names: VehicleNames
    private let lines = Mutex<[VehicleService: Line]>([:])
    private let vitalLook = Mutex(VitalLook())

    /// What stops the vehicle or brings it back, and must reach it even when no master says any more where its services are.
    private static let vital: [Command] = [
        .hover, .land, .landHome, .emergencyHover, .emergencyLand, .stopTrajectory, .altitude(metres: 0),
        .goTo(.init(.frame(.current), position: .zero, headingRadians: 0)),
        .goTo(.init(.relative, position: .zero, headingRadians: 0)),
    ]
    private static let lookEvery: Duration = .seconds(1)
    /// A vehicle need not offer all of them.
    private static let lookAgain: Duration = .seconds(10)

    init(node: ROSNode, names: VehicleNames) {
        self.node = node
        self.names = names
    }

    /// Calls a service and returns the vehicle's answer; a call that its node ends with an error is a refusal.
    func perform(
        _ call: ServiceCall, within timeout: Duration, report: ForwardProgress? = nil
    ) async throws(LinkError) -> CommandReply {
        do { return try await line(for: call).call(call, timeout, report) } catch {
            return try reply(to: call, failed: error)
        }
    }

    /// The same; the answer is given to `answer` on the node's I/O thread, or at once on this one.
    func perform(
        _ call: ServiceCall, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        let take: @Sendable (Result<CommandReply, ROSError>) -> Void = { [self] result in
            answer(
                Result { () throws(LinkError) in
                    do throws(ROSError) { return try result.get() } catch { return try reply(to: call, failed: error) }
                })
        }
        do { try line(for: call).begin(call, timeout, take) } catch { take(.failure(error)) }
    }

    /// Opens the vital connections that are not open; to be called while the vehicle is heard, as often as one likes.
    func keepVitalOpen() {
        let isDue = vitalLook.withLock { look in
            guard !look.isUnderWay, look.nextAt <= .now else { return false }
            look.isUnderWay = true
            return true
        }
        guard isDue else { return }
        let closed = closedVital()
        guard !closed.isEmpty else { return lookAgain(in: Self.lookEvery) }
        Task { [weak self] in
            var hasFailed = false
            for line in closed {
                do { try await line.connect(Self.lookAgain) } catch { hasFailed = true }
            }
            self?.lookAgain(in: hasFailed ? Self.lookAgain : Self.lookEvery)
        }
    }

    /// The vital services to which no connection is open.
    func closedVital() -> [Line] {
        Self.vital.compactMap { command in
            (try? ServiceCall(command)).flatMap { try? line(for: $0) }.flatMap { $0.isConnected() ? nil : $0 }
        }
    }

    private func lookAgain(in pause: Duration) {
        vitalLook.withLock { $0 = VitalLook(nextAt: .now + pause) }
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
        // The client puts words of its own where the vehicle has none.
        return call.refusal(error.what == "\(name) failed without a reason" ? "" : error.what)
    }

    private func make(for call: ServiceCall) throws(ROSError) -> Line {
        let name = names.name(of: call.service)
        // What each service is sent is fixed by its name, so the request of every later call has the same type.
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
                    client.call(try request(call), within: timeout) { answer($0.map { reply(call, $0) }) }
                } catch { answer(.failure(error)) }
            },
            connect: { timeout async throws(ROSError) in try await client.connect(within: timeout) },
            isConnected: { client.isConnected })
    }
}

extension LinkError {
    /// What a failure in the ROS graph means to whoever flies.
    init(_ error: ROSError, calling service: String? = nil) {
        let code: Code =
            switch error.code {
            case .invalidName, .invalidConfiguration: .invalidInput
            case .masterUnreachable: .rosMasterUnreachable
            case .noProvider, .unreachable: .serviceMissing
            case .typeMismatch: .typeMismatch
            case .cancelled: .cancelled
            case .closed: .closed
            case .refused, .serviceFailed: .remoteFailed
            // After all of these it is not known whether the vehicle acted, which is what this code says.
            case .timedOut, .connectionLost: .timedOut
            case .protocolViolation, .tooLarge: service == nil ? .protocolViolation : .timedOut
            case .misuse, .systemFailure, .badBag, .noSuchParameter: .internalFault
            }
        let hint =
            switch error.code {
            case .noProvider where error.hint.isEmpty: "is the flight stack running, and is the vehicle's name right?"
            case .unreachable where error.hint.isEmpty:
                "the node may have died, or ROS_IP or ROS_HOSTNAME of the vehicle names an address that is wrong from here"
            case .timedOut where service != nil && error.hint.isEmpty:
                "it is not known whether the vehicle acted: look at its state before you try again"
            default: error.hint
            }
        var what = error.what
        if error.code == .timedOut, let service, !what.contains(service) { what = "\(service): \(what)" }
        self.init(code, what, hint: hint)
    }
}
