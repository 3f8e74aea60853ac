package import SSHTransport
internal import Threads
package import UAVLink
package import VehicleAccess

/// The storage of saved vehicles; tests substitute their own.
package protocol ProfileStore: Sendable {
    /// Reads the configuration.
    func read() async throws(LinkError) -> Configuration
    /// Adds a vehicle, with its password if given; returns the profile as ``read()`` returns it from now on.
    func save(_ profile: VehicleProfile, password: SSHSecret?) async throws(LinkError) -> VehicleProfile
    /// Stores the password of a saved vehicle.
    func store(_ password: SSHSecret, forVehicle name: String) async throws(LinkError)
}

/// The saved vehicles of the configuration file. File access blocks, so it runs on dedicated threads.
package struct FileProfileStore: ProfileStore {
    private let file: ConfigurationFile

    /// Creates a store for a file.
    package init(_ file: ConfigurationFile) { self.file = file }

    /// See ``ProfileStore/read()``.
    package func read() async throws(LinkError) -> Configuration {
        try await onThread { () throws(LinkError) in try file.read() }
    }

    /// See ``ProfileStore/save(_:password:)``.
    package func save(_ profile: VehicleProfile, password: SSHSecret?) async throws(LinkError) -> VehicleProfile {
        try await onThread { () throws(LinkError) in try file.save(profile, password: password) }
    }

    /// See ``ProfileStore/store(_:forVehicle:)``.
    package func store(_ password: SSHSecret, forVehicle name: String) async throws(LinkError) {
        try await onThread { () throws(LinkError) in try file.store(password, forVehicle: name) }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(LinkError) -> Value
    ) async throws(LinkError) -> Value {
        let result = await DedicatedThread.run { () -> Result<Value, LinkError> in Result(catching: body) }
        guard let result else {
            throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
        return try result.get()
    }
}
