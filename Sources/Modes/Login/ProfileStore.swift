public import SSHTransport
internal import Threads
public import UAVLink
public import VehicleAccess

/// The saved vehicles; a test puts its own here.
public protocol ProfileStore: Sendable {
    /// Reads them.
    func read() async throws(LinkError) -> Configuration
    /// Adds one, with its password when one is given; returns it as ``read()`` gives it from now on.
    func save(_ profile: VehicleProfile, password: SSHSecret?) async throws(LinkError) -> VehicleProfile
    /// Stores the password of one that is there.
    func store(_ password: SSHSecret, forVehicle name: String) async throws(LinkError)
}

/// The saved vehicles of the configuration file. Files block, so they are read and written on threads of our own.
public struct FileProfileStore: ProfileStore {
    private let file: ConfigurationFile

    /// The vehicles of that file.
    public init(_ file: ConfigurationFile) { self.file = file }

    /// See ``ProfileStore/read()``.
    public func read() async throws(LinkError) -> Configuration {
        try await onThread { () throws(LinkError) in try file.read() }
    }

    /// See ``ProfileStore/save(_:password:)``.
    public func save(_ profile: VehicleProfile, password: SSHSecret?) async throws(LinkError) -> VehicleProfile {
        try await onThread { () throws(LinkError) in try file.save(profile, password: password) }
    }

    /// See ``ProfileStore/store(_:forVehicle:)``.
    public func store(_ password: SSHSecret, forVehicle name: String) async throws(LinkError) {
        try await onThread { () throws(LinkError) in try file.store(password, forVehicle: name) }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(LinkError) -> Value
    ) async throws(LinkError) -> Value {
        let result = await OwnThread.run { () -> Result<Value, LinkError> in Result(catching: body) }
        guard let result else {
            throw LinkError(.internalFault, "a thread could not be started", hint: "raise 'ulimit -u'")
        }
        return try result.get()
    }
}
