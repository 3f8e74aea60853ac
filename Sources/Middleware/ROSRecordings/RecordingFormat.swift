package import ROS2
package import ROSMessages

/// A message type of ROS 1 and ROS 2, which is recorded in either form.
package typealias RecordableMessage = ROSMessage & ROS2Message

/// The form of a recording.
package enum RecordingFormat: String, Sendable, CaseIterable {
    /// A ROS 1 bag (format 2.0).
    case bag
    /// MCAP with messages of ROS 2.
    case mcap

    /// The form that a file's name asks for; `nil` if it says nothing.
    package init?(path: String) {
        guard let format = Self.allCases.first(where: { path.hasSuffix($0.suffix) }) else { return nil }
        self = format
    }

    /// The end of a file's name, with the dot.
    package var suffix: String { "." + rawValue }
}
