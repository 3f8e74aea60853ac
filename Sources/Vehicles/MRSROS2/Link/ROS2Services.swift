internal import MRS
internal import MRSMessages
internal import MRSMessagesROS2
internal import ROS2
internal import ROS2Node
internal import ROSMessages
internal import Synchronization
internal import UAVLink

/// Clients of the vehicle's services; each is made by its first call. There are no connections to keep: a query goes to whichever
/// node offers the service then.
final class ROS2Services: Sendable {
    /// The client of one service, with its type erased.
    private struct Line: Sendable {
        let call: @Sendable (ServiceCall, Duration) async throws(ROSError) -> CommandReply
        let begin:
            @Sendable (ServiceCall, Duration, @escaping @Sendable (Result<CommandReply, ROSError>) -> Void) -> Void
    }

    private let node: ROS2Node
    private let names: VehicleNames
    private let lines = Mutex<[VehicleService: Line]>([:])

    init(node: ROS2Node, names: VehicleNames) {
        self.node = node
        self.names = names
    }

    /// Calls a service and returns the vehicle's answer.
    func perform(_ call: ServiceCall, within timeout: Duration) async throws(LinkError) -> CommandReply {
        do { return try await line(for: call).call(call, timeout) } catch { throw failure(error, of: call) }
    }

    /// The same with a callback: `answer` is called on the session's I/O thread, or immediately on this one.
    func perform(
        _ call: ServiceCall, within timeout: Duration,
        answer: @escaping @Sendable (Result<CommandReply, LinkError>) -> Void
    ) {
        do throws(ROSError) {
            try line(for: call).begin(call, timeout) { [self] result in
                answer(result.mapError { failure($0, of: call) })
            }
        } catch { answer(.failure(failure(error, of: call))) }
    }

    private func failure(_ error: ROSError, of call: ServiceCall) -> LinkError {
        LinkError(ros2: error, calling: names.name(of: call.service))
    }

    private func line(for call: ServiceCall) throws(ROSError) -> Line {
        try lines.withLock { lines throws(ROSError) in
            if let known = lines[call.service] { return known }
            let made = try make(for: call)
            lines[call.service] = made
            return made
        }
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

    private func make<Service: ROS2Service>(
        _ type: Service.Type, _ name: String,
        reply: @escaping @Sendable (ServiceCall, Service.Response) -> CommandReply
    ) throws(ROSError) -> Line {
        let client = try node.client(of: name, type: type)
        @Sendable func request(_ call: ServiceCall) throws(ROSError) -> Service.Request {
            guard let request = call.message as? Service.Request else {
                throw ROSError(.misuse, "\(name) is called with two types")
            }
            return request
        }
        return Line(
            call: { (call, timeout) async throws(ROSError) -> CommandReply in
                reply(call, try await client.call(try request(call), timeout: timeout))
            },
            begin: { call, timeout, answer in
                do throws(ROSError) {
                    client.call(try request(call), timeout: timeout) { answer($0.map { reply(call, $0) }) }
                } catch { answer(.failure(error)) }
            })
    }
}

extension LinkError {
    /// Maps an error of a session with a Zenoh router to an error of the link: the advice of ROS 1 would mislead.
    init(ros2 error: ROSError, calling service: String? = nil) {
        if error.code == .unreachable {
            let hint = error.hint.isEmpty ? "is the Zenoh router (rmw_zenohd) running?" : error.hint
            self.init(.notConnected, error.what, hint: hint)
        } else {
            self.init(error, calling: service)
        }
    }
}
