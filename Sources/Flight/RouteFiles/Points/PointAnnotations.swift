internal import Geodesy
internal import Trajectories
internal import UAVLink

/// The properties of a point that a format has no field for, as keys and values.
///
/// `altitude_reference` (`ellipsoid`, `amsl`, `ground`, `home` or `frame:NAME`) with `altitude_m`, `heading_rad` or
/// `heading_deg` (ENU) or `heading` (`along_path`) or `heading_towards` (`LATITUDE,LONGITUDE` or `X,Y,FRAME`), `hold_s`, `camera_pitch_rad`, `snapshot`.
enum PointAnnotations {
    enum Value {
        case number(Double)
        case text(String)
        case truth

        var text: String {
            switch self {
            case .number(let number): PlainNumber.text(number)
            case .text(let text): text
            case .truth: "true"
            }
        }
    }

    /// The keys that are supported.
    static let keys: Set<String> = [
        "altitude_reference", "altitude_m", "heading_rad", "heading_deg", "heading", "heading_towards", "hold_s",
        "camera_pitch_rad", "snapshot",
    ]

    /// The annotations to write for a point.
    ///
    /// - Parameter native: the reference of the format's own altitude field; an altitude with it is not annotated.
    static func of(
        _ point: RoutePoint, native: RoutePoint.AltitudeReference?
    ) -> [(key: String, value: Value)] {
        var found: [(key: String, value: Value)] = []
        if let altitude = point.altitude, altitude.reference != native {
            found.append(("altitude_m", .number(altitude.metres)))
            found.append(("altitude_reference", .text(name(altitude.reference))))
        }
        switch point.heading {
        case .fixed(let radians): found.append(("heading_rad", .number(radians)))
        case .alongPath: found.append(("heading", .text("along_path")))
        case .towards(.geographic(let place)):
            let text = PlainNumber.text(place.latitudeDegrees) + "," + PlainNumber.text(place.longitudeDegrees)
            found.append(("heading_towards", .text(text)))
        case .towards(.local(let x, let y, let frame)):
            found.append(("heading_towards", .text("\(PlainNumber.text(x)),\(PlainNumber.text(y)),\(frame.name)")))
        case nil: break
        }
        if point.holdSeconds != 0 { found.append(("hold_s", .number(point.holdSeconds))) }
        if let pitch = point.cameraPitchRadians { found.append(("camera_pitch_rad", .number(pitch))) }
        if point.takesSnapshot { found.append(("snapshot", .truth)) }
        return found
    }

    /// The name of an altitude reference in files.
    static func name(_ reference: RoutePoint.AltitudeReference) -> String {
        switch reference {
        case .meanSeaLevel: "amsl"
        case .ellipsoid: "ellipsoid"
        case .ground: "ground"
        case .home: "home"
        case .frame(let frame): "frame:\(frame.name)"
        }
    }

    /// The altitude reference of that name.
    static func reference(_ name: String) -> RoutePoint.AltitudeReference? {
        switch name.lowercased() {
        case "amsl", "msl": return .meanSeaLevel
        case "ellipsoid", "wgs84": return .ellipsoid
        case "ground", "agl": return .ground
        case "home": return .home
        default:
            guard name.hasPrefix("frame:") else { return nil }
            let frame = FrameName(String(name.dropFirst("frame:".count)))
            return frame.isValid ? .frame(frame) : nil
        }
    }

    /// Applies annotations to a point.
    ///
    /// - Throws: an error without the file's name: what was found and what was expected.
    static func apply(_ entries: [(key: String, text: String)], to point: inout RoutePoint) throws(RouteFileError) {
        var metres: Double?
        var reference: RoutePoint.AltitudeReference?
        for (key, text) in entries {
            switch key {
            case "altitude_m": metres = try number(key, text)
            case "altitude_reference":
                guard let found = Self.reference(text) else {
                    throw wrong(key, text, "amsl, ellipsoid, ground, home or frame:NAME")
                }
                reference = found
            case "heading_rad": point.heading = .fixed(radians: try number(key, text))
            case "heading_deg": point.heading = .fixed(radians: Heading.radians(degrees: try number(key, text)))
            case "heading":
                guard text == "along_path" else {
                    throw wrong(key, text, "along_path; an angle from east is heading_deg or heading_rad")
                }
                point.heading = .alongPath
            case "heading_towards": point.heading = .towards(try place(key, text))
            case "hold_s":
                let seconds = try number(key, text)
                guard seconds >= 0 else { throw wrong(key, text, "seconds, not less than 0") }
                point.holdSeconds = seconds
            case "camera_pitch_rad": point.cameraPitchRadians = try number(key, text)
            case "snapshot":
                guard ["true", "false", "1", "0"].contains(text) else { throw wrong(key, text, "true or false") }
                point.takesSnapshot = text == "true" || text == "1"
            default: break
            }
        }
        if let metres {
            guard let reference else {
                throw RouteFileError("found altitude_m alone, expected altitude_reference beside it")
            }
            point.altitude = .init(metres: metres, reference: reference)
        } else if let reference, let native = point.altitude {
            // The format's own altitude, with another reference.
            point.altitude = .init(metres: native.metres, reference: reference)
        }
    }

    private static func place(_ key: String, _ text: String) throws(RouteFileError) -> RoutePoint.Place {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { XMLText.trimmed($0) }
        guard (2...3).contains(parts.count), let first = PlainNumber.double(parts[0]),
            let second = PlainNumber.double(parts[1])
        else { throw wrong(key, text, "LATITUDE,LONGITUDE or X,Y,FRAME") }
        guard parts.count == 3 else {
            return .geographic(try GeographicPlace.make(longitude: second, latitude: first).get())
        }
        let frame = FrameName(parts[2])
        guard frame.isValid else { throw wrong(key, text, "LATITUDE,LONGITUDE or X,Y,FRAME") }
        return .local(xMetres: first, yMetres: second, frame: frame)
    }

    private static func number(_ key: String, _ text: String) throws(RouteFileError) -> Double {
        guard let value = PlainNumber.double(XMLText.trimmed(text)) else { throw wrong(key, text, "a number") }
        return value
    }

    private static func wrong(_ key: String, _ text: String, _ expected: String) -> RouteFileError {
        RouteFileError("\(key): found \(RouteFileError.shown(text)), expected \(expected)")
    }
}

extension RouteFileError {
    /// The same error with the file and the line in front.
    func at(_ source: String, line: Int) -> RouteFileError { RouteFileError(source, line: line, what) }
}
