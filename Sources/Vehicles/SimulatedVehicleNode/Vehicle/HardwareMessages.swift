internal import MRSMessages
internal import Simulation
internal import UAVLink

extension MessageBuilder {
    /// Height above mean sea level.
    var altitude: MRSMsgs.HwApiAltitude {
        MRSMsgs.HwApiAltitude(stamp: stamp, amsl: world.utmOrigin.z + seen.position.z)
    }

    /// The sticks of the safety pilot, who leaves them in the middle: roll, pitch, throttle, yaw.
    var remoteControl: MRSMsgs.HwApiRcChannels {
        MRSMsgs.HwApiRcChannels(stamp: stamp, channels: [0, 0, 0, 0])
    }

    /// The border of the safety area as lines at its lowest and at its greatest height; nothing without one.
    func safetyMarkers(_ border: SafetyBorder?) -> VisualizationMsgs.MarkerArray {
        guard let border, let first = border.corners.first else { return VisualizationMsgs.MarkerArray() }
        let outline = border.corners + [first]
        let heights = [border.minimumZMetres, border.maximumZMetres]
        return VisualizationMsgs.MarkerArray(
            markers: heights.enumerated().map { index, height in
                var marker = VisualizationMsgs.Marker()
                marker.header = StdMsgs.Header(stamp: stamp, frameID: "\(vehicle)/world_origin")
                marker.ns = "safety_area"
                marker.id = Int32(clamping: index)
                marker.type = Int32(VisualizationMsgs.Marker.lineStrip)
                marker.action = Int32(VisualizationMsgs.Marker.add)
                marker.pose.orientation.w = 1
                marker.scale.x = 0.2
                marker.color = StdMsgs.ColorRGBA(r: 1, g: 0, b: 0, a: 1)
                marker.points = outline.map { GeometryMsgs.Point(x: $0.x, y: $0.y, z: height) }
                return marker
            })
    }
}
