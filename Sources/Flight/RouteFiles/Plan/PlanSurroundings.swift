internal import JSON
internal import Geodesy
internal import UAVLink

/// What a plan has around its items: its speeds, the kind of the vehicle, and keys that are not known.
enum PlanSurroundings {
    /// Adds what is left out of it.
    ///
    /// - Throws: ``RouteFileError`` for an unknown key that may limit the flight.
    static func check(
        _ document: JSONDocument, _ mission: JSONNode, _ builder: inout RouteBuilder
    ) throws(RouteFileError) {
        try keys(
            of: document.root, ["fileType", "version", "groundStation", "mission", "geoFence", "rallyPoints"],
            document, &builder)
        try keys(
            of: mission,
            [
                "cruiseSpeed", "hoverSpeed", "firmwareType", "vehicleType", "globalPlanAltitudeMode", "items",
                "plannedHomePosition", "version",
            ], document, &builder)
        for (key, written) in [("cruiseSpeed", PlanWriter.cruiseSpeed), ("hoverSpeed", PlanWriter.hoverSpeed)] {
            guard case .number(let speed)? = document.find(key, in: mission)?.content, speed > 0 else { continue }
            builder.demand(FileSpeed(speed, key, isDefault: true))
            // The ones that ground stations always write say nothing of this route.
            if speed != Double(written) {
                builder.note("the speeds of the vehicle are left out: the trajectory has its own speed")
            }
        }
        if case .number(let type)? = document.find("vehicleType", in: mission)?.content,
            !multirotors.contains(type)
        {
            builder.omit(
                "the plan is for \(names[type] ?? "a vehicle of type \(PlainNumber.text(type))"), and is flown by a multirotor:"
                    + " its turns and its speed are not followed")
        }
    }

    /// By MAV_TYPE: generic, and with three to twelve rotors, helicopters too.
    private static let multirotors: Set<Double> = [0, 2, 3, 4, 13, 14, 15, 29, 35]
    private static let names: [Double: String] = [
        1: "a fixed-wing aircraft", 10: "a ground rover", 11: "a boat", 12: "a submarine", 19: "a VTOL aircraft",
        20: "a VTOL aircraft", 21: "a VTOL aircraft", 22: "a VTOL aircraft",
    ]

    private static func keys(
        of node: JSONNode, _ known: [String], _ document: JSONDocument, _ builder: inout RouteBuilder
    ) throws(RouteFileError) {
        for member in try document.object(node) where !known.contains(member.key) && !member.value.isNull {
            // Another spelling of a known key, or a limit: what it means is not checked.
            let isKnown = known.contains { $0.lowercased() == member.key.lowercased() }
            guard !isKnown, !LimitKey.mayLimit(member.key) else {
                throw document.error(
                    at: member.value,
                    "unknown key '\(member.key.sanitizedLine)', which may limit where the vehicle may fly; known keys: "
                        + known.joined(separator: ", "))
            }
            builder.note("the key '\(member.key)' is left out")
        }
    }
}

extension PlanFence {
    /// Adds what a fence has besides its areas.
    static func noteOther(_ node: JSONNode, _ document: JSONDocument, _ builder: inout RouteBuilder) {
        if let point = document.find("breachReturn", in: node), !point.isNull, !isEmpty(point) {
            builder.note("the breach return point of the geofence is left out")
        }
        // Heights and radii, for example (FENCE_ALT_MAX).
        if let parameters = document.find("parameters", in: node), !parameters.isNull, !isEmpty(parameters) {
            builder.omit("the parameters of the geofence are not checked: they may limit where the vehicle may fly")
        }
    }

    private static func isEmpty(_ node: JSONNode) -> Bool {
        switch node.content {
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        case .null, .bool, .number, .string: false
        }
    }
}
