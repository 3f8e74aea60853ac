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

    /// The text of a parameter; `nil` if it is not set, or is no text.
    ///
    /// - Throws: ``ROSError`` if the master does not answer.
    public func text(
        of name: String, within timeout: Duration = ROSMaster.defaultTimeout
    ) async throws(ROSError) -> String? {
        let full = try names.resolve(name).text
        do throws(ROSError) {
            return try await master.ask("getParam", [.string(full)], within: timeout).stringValue
        } catch {
            // It is not set.
            guard error.code == .refused else { throw error }
            return nil
        }
    }

    /// Removes a parameter; it is no error if it is not set.
    public func remove(
        _ name: String, within timeout: Duration = ROSMaster.defaultTimeout
    ) async throws(ROSError) {
        let full = try names.resolve(name).text
        do throws(ROSError) {
            _ = try await master.ask("deleteParam", [.string(full)], within: timeout)
        } catch {
            guard error.code == .refused else { throw error }
        }
    }
}
