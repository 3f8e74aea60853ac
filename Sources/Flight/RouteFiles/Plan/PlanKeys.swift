internal import Geodesy
internal import JSON

/// The keys that QGroundControl writes in the items of a plan, in all versions since 3.0; any other one is a finding.
enum PlanKeys {
    /// Of an item with a command, and of those of older missions.
    static let ofItem: Set<String> = [
        "type", "version", "id", "doJumpId", "MISSION_ITEM_ID", "frame", "command", "params", "param1", "param2",
        "param3", "param4", "coordinate", "autoContinue", "Altitude", "AltitudeMode", "AMSLAltAboveTerrain",
    ]
    /// Of a survey, a corridor scan and a structure scan.
    static let ofComplexItem: Set<String> = [
        "type", "version", "id", "complexItemType", "TransectStyleComplexItem", "Items", "CameraCalc", "polygon",
        // Surveys, the last lines those of version 3 and below.
        "angle", "entryLocation", "flyAlternateTransects", "splitConcavePolygons",
        "grid", "camera", "manualGrid", "cameraTrigger", "cameraTriggerDistance", "cameraTriggerInTurnaround",
        "hoverAndCapture", "refly90Degrees", "fixedValueIsAltitude", "cameraShots",
        // Corridor scans.
        "polyline", "CorridorWidth", "EntryPoint",
        // Structure scans.
        "Altitude", "altitudeRelative", "EntranceAltitude", "ScanBottomAlt", "StructureHeight", "Layers", "GimbalPitch",
        "StartFromTop",
    ]
    /// Of what surveys and corridor scans have in common.
    static let ofTransects: Set<String> = [
        "version", "CameraCalc", "VisualTransectPoints", "TransectPoints", "Items", "CameraShots", "FollowTerrain",
        "TurnAroundDistance", "TurnAroundDistanceMultiRotor", "CameraTriggerInTurnAround", "HoverAndCapture",
        "Refly90Degrees", "YawAtTurnaround", "YawAtEveryTurn", "TurnaroundYawRate", "TurnaroundYawHold",
        "TerrainAdjustTolerance", "TerrainAdjustMaxClimbRate", "TerrainAdjustMaxDescentRate", "TerrainFlightSpeed",
    ]
    /// Of a camera.
    static let ofCamera: Set<String> = [
        "version", "CameraName", "CameraSpecType", "DistanceMode", "DistanceToSurface", "DistanceToSurfaceRelative",
        "ValueSetIsDistance", "ImageDensity", "FrontalOverlap", "SideOverlap", "AdjustedFootprintFrontal",
        "AdjustedFootprintSide", "SensorWidth", "SensorHeight", "ImageWidth", "ImageHeight", "FocalLength", "Landscape",
        "FixedOrientation", "MinTriggerInterval",
    ]

    /// Adds a warning for each key that is not known; one that may limit the flight is an omission.
    static func check(_ node: JSONNode, of what: String, _ known: Set<String>, _ builder: inout RouteBuilder) {
        guard case .object(let members) = node.content else { return }
        for member in members where !known.contains(member.key) && !member.value.isNull {
            let text = "the key '\(member.key)' of \(what) is left out"
            // Another spelling of a known key, or a limit: what it means is not checked.
            let isKnown = known.contains { $0.lowercased() == member.key.lowercased() }
            if isKnown || LimitKey.mayLimit(member.key) {
                builder.omit("\(text), and may limit the flight")
            } else {
                builder.note(text)
            }
        }
    }

    /// The same for a survey or scan, with what it has inside but for its waypoints.
    static func check(complex node: JSONNode, of what: String, _ builder: inout RouteBuilder) {
        check(node, of: what, ofComplexItem, &builder)
        if let transects = node["TransectStyleComplexItem"] { check(transects, of: what, ofTransects, &builder) }
        for part in [node, node["TransectStyleComplexItem"]] {
            if let camera = part?["CameraCalc"] { check(camera, of: "the camera of \(what)", ofCamera, &builder) }
        }
    }
}
