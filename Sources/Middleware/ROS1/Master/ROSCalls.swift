internal import ROSMessages
internal import SystemIO
internal import XMLRPC

extension XMLRPCClientConnection {
    /// A client of the API of the master or of a node.
    convenience init(server: ROSURI, closesWhenIdle: Bool) {
        self.init(host: server.host, port: server.port, closesWhenIdle: closesWhenIdle)
    }

    /// As ``XMLRPCClientConnection/call(_:until:on:completion:)``, with the errors of this target.
    func ask(
        _ call: XMLRPCCall, until deadline: ContinuousClock.Instant, on loop: LoopCore,
        completion: @escaping (Result<XMLRPCResponse, ROSError>, LoopCore) -> Void
    ) {
        self.call(call, until: deadline, on: loop) { result, loop in
            completion(result.mapError { ROSError($0) }, loop)
        }
    }
}
