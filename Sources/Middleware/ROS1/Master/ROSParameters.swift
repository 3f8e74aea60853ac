public import ROSMessages
public import XMLRPC

/// The ROS parameter server, which is part of the master.
public struct ROSParameters: Sendable {
    private let master: ROSMaster
    private let names: NameResolver

    init(master: ROSMaster, names: NameResolver) {
        self.master = master
        self.names = names
    }

    /// Sets a parameter; a struct replaces everything below the name.
    public func set(
        _ name: String, to value: XMLRPCValue, within timeout: Duration = ROSMaster.defaultTimeout
    ) async throws(ROSError) {
        _ = try await master.ask("setParam", [.string(try names.resolve(name).text), value], within: timeout)
    }
}
