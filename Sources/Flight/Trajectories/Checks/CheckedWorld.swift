/// The world that a trajectory was checked in: whose safety area and obstacles count.
public struct CheckedWorld: Hashable, Sendable {
    /// Who names it.
    public enum Source: String, Hashable, Sendable {
        /// The user.
        case user
        /// The vehicle's profile.
        case profile
        /// The vehicle.
        case vehicle
    }

    /// What is known of it.
    public enum Content: String, Hashable, Sendable {
        /// All of its file.
        case file
        /// Only the border, as the vehicle shows it.
        case border
        /// The configuration of a simulated vehicle, which has no file.
        case configuration
    }

    /// Who names it.
    public var source: Source
    /// What is known of it.
    public var content: Content
    /// The file's path, on the ground or on the vehicle: untrusted text; empty if it has none.
    public var path: String

    /// A world.
    public init(_ source: Source, _ content: Content = .file, path: String) {
        self.source = source
        self.content = content
        self.path = path
    }
}
