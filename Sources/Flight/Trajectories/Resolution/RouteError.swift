internal import UAVLink

/// Why a route cannot be made into a plan: which point it is about, and what is asked for.
public struct RouteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is the matter.
    public enum Code: Hashable, Sendable {
        /// No altitude stands at the point, and none is given for such points.
        case altitudeMissing
        /// It is in metres of a frame that nobody named.
        case frameMissing
        /// The altitude counts from something whose height is not known here.
        case heightUnknown
        /// The place is in a frame that is not known here.
        case frameUnknown
        /// Not a number, or no place on earth.
        case invalid
        /// A heading towards a place that the path runs over, or one that cannot be turned to.
        case heading
        /// More samples, or more points, than can be sent.
        case tooLong
        /// There is nothing to fly.
        case empty
        /// An option or a limit of motion that is not positive.
        case options
    }

    /// What is the matter.
    public let code: Code
    /// Which point, counted from 0; absent where the matter is the whole route.
    public let pointIndex: Int?
    /// What happened and what is asked for, in one line that names the point as people count, from 1.
    public let what: String

    /// An error.
    public init(_ code: Code, point: Int? = nil, name: String = "", _ what: String) {
        self.code = code
        pointIndex = point
        guard let point else {
            self.what = what
            return
        }
        let label = name.harmlessLine
        self.what = "point \(point + 1)" + (label.isEmpty ? "" : " (\(label.prefix(40)))") + ": " + what
    }

    /// The one line.
    public var description: String { what }
}
