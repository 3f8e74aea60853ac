internal import UAVLink

/// Why a route cannot be planned: the point that is concerned, and what is expected.
public struct RouteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The point has no altitude, and no default is given.
        case altitudeMissing
        /// The point is in metres of an unnamed frame.
        case frameMissing
        /// The altitude's reference has an unknown height.
        case heightUnknown
        /// The position is in an unknown frame.
        case frameUnknown
        /// Not a number, or not a position on earth.
        case invalid
        /// A heading towards a place that the path passes over, or one that cannot be reached by a turn.
        case heading
        /// More samples, or more points, than can be sent.
        case tooLong
        /// The route is empty.
        case empty
        /// An option or a motion limit is not positive.
        case options
    }

    /// The kind of error.
    public let code: Code
    /// Index of the point, from 0; `nil` if the error concerns the whole route.
    public let pointIndex: Int?
    /// The reference of an altitude whose height is unknown, for ``Code/heightUnknown``.
    public private(set) var unknownReference: RoutePoint.AltitudeReference?
    /// Whether the altitude of `world_origin` above mean sea level is unknown as well.
    public private(set) var lacksWorldAltitude = false
    /// One line: what happened and what is expected; names the point counted from 1.
    public private(set) var what: String

    /// The same with its reason.
    public func explained(_ reason: String) -> Self {
        var error = self
        error.what += "; " + reason
        return error
    }

    /// The same, about the altitude's reference.
    func about(_ reference: RoutePoint.AltitudeReference, lacksWorldAltitude: Bool) -> Self {
        var error = self
        (error.unknownReference, error.lacksWorldAltitude) = (reference, lacksWorldAltitude)
        return error
    }

    /// An error.
    public init(_ code: Code, point: Int? = nil, name: String = "", _ what: String) {
        self.code = code
        pointIndex = point
        guard let point else {
            self.what = what
            return
        }
        let label = name.sanitizedLine
        self.what = "point \(point + 1)" + (label.isEmpty ? "" : " (\(label.prefix(40)))") + ": " + what
    }

    /// The text of ``what``.
    public var description: String { what }
}
