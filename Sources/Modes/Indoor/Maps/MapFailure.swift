package import PointCloud
package import UAVLink

/// Why a map could not be loaded, written or fetched.
package enum MapFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is malformed, or its points cannot be processed.
    case cloud(PointCloudError)
    /// The link failed to deliver the map.
    case link(LinkError)
    /// Reading or writing a file failed, in one line.
    case file(String)
    /// The system took a file and not its contents, in one line: the disk is full, or broken.
    case unwritten(String)
    /// The file exists already and was not to be replaced, in one line.
    case isThere(String)
    /// The vehicle offers no map, or not the requested one, in one line.
    case noMap(String)

    /// A one-line message for the user.
    package var description: String {
        switch self {
        case .cloud(let error): error.description
        case .link(let error): error.description
        case .file(let line), .unwritten(let line), .isThere(let line), .noMap(let line): line
        }
    }

    /// Whether the work was cancelled.
    package var isCancelled: Bool {
        switch self {
        case .cloud(let error): error.code == .cancelled
        case .link(let error): error.code == .cancelled
        case .file, .unwritten, .isThere, .noMap: false
        }
    }
}
