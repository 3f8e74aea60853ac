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

    /// The value of a parameter, or of all parameters below a name as a struct.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/noSuchParameter`` when it is not set.
    public func get(_ name: String, within timeout: Duration = ROSMaster.defaultTimeout) async throws(ROSError)
        -> XMLRPCValue
    {
        let key = try names.resolve(name).text
        do { return try await master.ask("getParam", [.string(key)], within: timeout) } catch
            where error.code == .refused
        { throw ROSError(.noSuchParameter, "the parameter \(key) is not set") }
    }

    /// Sets a parameter; a struct replaces everything below the name.
    public func set(
        _ name: String, to value: XMLRPCValue, within timeout: Duration = ROSMaster.defaultTimeout
    ) async throws(ROSError) {
        _ = try await master.ask("setParam", [.string(try names.resolve(name).text), value], within: timeout)
    }

    /// Whether a parameter is set.
    public func has(_ name: String, within timeout: Duration = ROSMaster.defaultTimeout) async throws(ROSError) -> Bool
    {
        try await master.ask("hasParam", [.string(try names.resolve(name).text)], within: timeout)
            .expect(\.boolValue, "hasParam")
    }

    /// Deletes a parameter.
    ///
    /// - Throws: ``ROSError``: ``ROSError/Code/noSuchParameter`` when it is not set.
    public func delete(_ name: String, within timeout: Duration = ROSMaster.defaultTimeout) async throws(ROSError) {
        let key = try names.resolve(name).text
        do { _ = try await master.ask("deleteParam", [.string(key)], within: timeout) } catch
            where error.code == .refused
        { throw ROSError(.noSuchParameter, "the parameter \(key) is not set") }
    }

    /// The fully qualified name of the nearest parameter of that name, from the node's namespace upwards; `nil` for none.
    public func search(_ name: String, within timeout: Duration = ROSMaster.defaultTimeout) async throws(ROSError)
        -> String?
    {
        do { return try await master.ask("searchParam", [.string(name)], within: timeout).stringValue } catch
            where error.code == .refused
        { return nil }
    }
}
