public import PointCloud
public import UAVLink

/// Why a map is not there.
public enum MapFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is not what it should be, or cannot be worked on.
    case cloud(PointCloudError)
    /// The vehicle did not give it.
    case link(LinkError)
    /// Reading or writing a file failed, in one line.
    case file(String)
    /// The vehicle offers no map, or not this one, in one line.
    case noMap(String)

    /// One line for people.
    public var description: String {
        switch self {
        case .cloud(let error): error.description
        case .link(let error): error.description
        case .file(let line), .noMap(let line): line
        }
    }

    /// Whether nobody wanted it any more.
    public var isCancelled: Bool {
        switch self {
        case .cloud(let error): error.code == .cancelled
        case .link(let error): error.code == .cancelled
        case .file, .noMap: false
        }
    }
}
