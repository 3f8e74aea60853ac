import MRSMessages
import Testing
import UAVLink

@testable import MRS

@Suite("The border as the flight stack shows it") struct BorderMarkersTests {
    private static let corners = [
        Vector3(x: -50, y: -50, z: 0.5), Vector3(x: 50, y: -50, z: 0.5), Vector3(x: 50, y: 50, z: 0.5),
        Vector3(x: 0, y: 20, z: 0.5), Vector3(x: -50, y: 50, z: 0.5),
    ]

    private func point(_ place: Vector3, z: Double? = nil) -> GeometryMsgs.Point {
        GeometryMsgs.Point(x: place.x, y: place.y, z: z ?? place.z)
    }

    private func marker(_ points: [GeometryMsgs.Point], type: UInt8, frame: String = "uav1/local_origin")
        -> VisualizationMsgs.Marker
    {
        var marker = VisualizationMsgs.Marker()
        marker.header.frameID = frame
        marker.type = Int32(type)
        marker.pose.orientation.w = 1
        marker.points = points
        return marker
    }

    /// As the real stack draws it: the lowest sides one after the other, then each upper side with an edge.
    private func lines(_ corners: [Vector3] = corners, top: Double = 15) -> [GeometryMsgs.Point] {
        let next = Array(corners.dropFirst()) + corners.prefix(1)
        let low = zip(corners, next).flatMap { [point($0), point($1)] }
        let high = zip(corners, next).flatMap { [point($0, z: top), point($1, z: top), point($0), point($0, z: top)] }
        return low + high
    }

    @Test func `the real stack's single lines give corners and heights`() throws {
        let message = VisualizationMsgs.MarkerArray(markers: [
            marker(lines(), type: VisualizationMsgs.Marker.lineList)
        ])
        let border = try #require(BorderMarkers(message))
        #expect(border.frame == "uav1/local_origin")
        #expect(border.corners == Self.corners)
        #expect(border.top == Vector3(x: -50, y: -50, z: 15))
    }

    @Test func `connected lines at two heights are read as well`() throws {
        let ring = Self.corners + Self.corners.prefix(1)
        let message = VisualizationMsgs.MarkerArray(
            markers: [0.5, 30].map { z in
                marker(ring.map { point($0, z: z) }, type: VisualizationMsgs.Marker.lineStrip)
            })
        let border = try #require(BorderMarkers(message))
        #expect(border.corners == Self.corners && border.top.z == 30)
    }

    @Test func `obstacles that are drawn beside the border are no border, whatever their heights`() throws {
        let obstacle = [Vector3(x: 1, y: 1, z: -1), Vector3(x: 9, y: 1, z: -1), Vector3(x: 9, y: 9, z: -1)]
        let message = VisualizationMsgs.MarkerArray(markers: [
            marker(lines(obstacle, top: 40) + lines(), type: VisualizationMsgs.Marker.lineList)
        ])
        let border = try #require(BorderMarkers(message))
        #expect(border.corners == Self.corners && border.top.z == 15)
    }

    @Test func `what is drawn in another way is no border`() {
        typealias Marker = VisualizationMsgs.Marker
        func border(_ change: (inout Marker) -> Void) -> BorderMarkers? {
            var drawn = marker(lines(), type: Marker.lineList)
            change(&drawn)
            return BorderMarkers(VisualizationMsgs.MarkerArray(markers: [drawn]))
        }
        #expect(border { _ in } != nil)
        #expect(border { $0.points.removeLast(5) } == nil)
        #expect(border { $0.points = [] } == nil)
        #expect(border { $0.points = Array($0.points.prefix(10)) } == nil)
        #expect(border { $0.type = Int32(Marker.cube) } == nil)
        #expect(border { $0.action = Int32(Marker.deleteall) } == nil)
        #expect(border { $0.header.frameID = "" } == nil)
        #expect(border { $0.pose.position.x = 1 } == nil)
        #expect(border { $0.pose.orientation.z = 0.5 } == nil)
        #expect(border { $0.points[3].y = .nan } == nil)
        #expect(border { $0.points = $0.points.map { GeometryMsgs.Point(x: 0, y: 0, z: $0.z) } } == nil)
        #expect(BorderMarkers(VisualizationMsgs.MarkerArray()) == nil)
        let far = marker(
            [GeometryMsgs.Point](repeating: GeometryMsgs.Point(x: 1, y: 2, z: 3), count: 120_001),
            type: Marker.lineList)
        #expect(BorderMarkers(VisualizationMsgs.MarkerArray(markers: [far])) == nil)
        var two = [marker(lines(), type: Marker.lineList), marker(lines(), type: Marker.lineList, frame: "uav1/fcu")]
        #expect(BorderMarkers(VisualizationMsgs.MarkerArray(markers: two)) == nil)
        two[1].header.frameID = "uav1/local_origin"
        #expect(BorderMarkers(VisualizationMsgs.MarkerArray(markers: two)) != nil)
    }
}
