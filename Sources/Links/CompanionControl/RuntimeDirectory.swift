#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemIO
public import UAVLink

/// The directory of the companions' control sockets; only its user can enter it.
public struct RuntimeDirectory: Hashable, Sendable {
    /// The directory's path.
    public let path: String

    /// The first of: `requested`, `UAVLINK_RUNTIME_DIR`, the systemd unit's `/run/uavlink` if this user owns it,
    /// `XDG_RUNTIME_DIR/uavlink`, `/tmp/uavlink-UID`.
    ///
    /// Creates the directory if it is missing.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable`` if it cannot be created, or another user owns it
    ///   or can enter it: keys are handed over there.
    public init(_ requested: String? = nil, environment: [String: String]) throws(LinkError) {
        let path = Self.choose(requested, environment: environment)
        try Self.prepare(path)
        self.path = path
    }

    /// The control socket of the companion for a vehicle.
    public func controlSocketPath(vehicle: String) -> String { "\(path)/\(vehicle).sock" }

    /// The log of a companion that was started on demand.
    public func logPath(vehicle: String) -> String { "\(path)/\(vehicle).log" }

    /// The lock that lets only one companion for a vehicle run.
    public func lockPath(vehicle: String) -> String { "\(path)/\(vehicle).lock" }

    private static func choose(_ requested: String?, environment: [String: String]) -> String {
        if let requested, !requested.isEmpty { return requested }
        if let set = environment["UAVLINK_RUNTIME_DIR"], !set.isEmpty { return set }
        var status = stat()
        if stat("/run/uavlink", &status) == 0, status.st_uid == getuid() { return "/run/uavlink" }
        if let session = environment["XDG_RUNTIME_DIR"], !session.isEmpty { return session + "/uavlink" }
        return "/tmp/uavlink-\(getuid())"
    }

    private static func prepare(_ path: String) throws(LinkError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw LinkError(
                .companionUnavailable, "cannot create \(path): \(SystemError.text(errno))",
                hint: "set UAVLINK_RUNTIME_DIR to a directory that you own")
        }
        var status = stat()
        // lstat: a symbolic link created by another user must not be followed.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw LinkError(.companionUnavailable, "\(path) is not a directory")
        }
        guard status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            throw LinkError(
                .companionUnavailable, "\(path) is owned by another user or accessible to others",
                hint: "chown it and chmod 700 it, or set UAVLINK_RUNTIME_DIR")
        }
    }
}
