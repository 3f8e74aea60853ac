internal import MRSMessages
internal import ROSMessages
internal import Simulation
internal import UAVLink

/// Services that convert poses, vectors and lists of references between frames, and two that the simulator has no use
/// for.
enum FrameServices {
    private static let failure = "failed to transform"
    private static let success = "transformation successful"

    /// Advertises them.
    ///
    /// - Parameter prefix: the vehicle's namespace with a slash behind.
    /// - Throws: ``ROSMessages/ROSError``.
    static func offer(
        on middleware: any VehicleMiddleware, prefix: String, simulator: RunningSimulator
    ) throws(ROSError) -> [any Sendable] {
        [
            try middleware.serve(
                prefix + "control_manager/transform_pose", type: MRSMsgs.TransformPoseSrv.self, isShort: true,
                handler: { transform($0, simulator) }),
            try middleware.serve(
                prefix + "control_manager/transform_vector3", type: MRSMsgs.TransformVector3Srv.self, isShort: true,
                handler: { transform($0, simulator) }),
            try middleware.serve(
                prefix + "control_manager/transform_reference_array", type: MRSMsgs.TransformReferenceArraySrv.self,
                isShort: true, handler: { transform($0, simulator) }),
            // Limits by value, and not by the name of a set, are not simulated.
            try middleware.serve(
                prefix + "control_manager/set_constraints", type: MRSMsgs.DynamicsConstraintsSrv.self, isShort: true,
                handler: { _ in .init(success: false, message: "the simulator has constraints by their names only") }),
            // The estimate is the simulated vehicle's state with noise: there is nothing to reset.
            try middleware.serve(
                prefix + "estimation_manager/reset_estimator", type: MRSMsgs.String.self, isShort: true,
                handler: { request in
                    let isKnown = FlightStackNames.estimators.contains(request.value)
                    return .init(
                        success: isKnown,
                        message: "the estimator '\(request.value)' \(isKnown ? "was reset" : "does not exist")")
                }),
        ]
    }

    private static func transform(
        _ request: MRSMsgs.TransformPoseSrv.Request, _ simulator: RunningSimulator
    ) -> MRSMsgs.TransformPoseSrv.Response {
        let (position, given) = (request.pose.pose.position, request.pose.pose.orientation)
        let attitude = Quaternion(x: given.x, y: given.y, z: given.z, w: given.w)
        let place = PlaceReference(
            frame: FrameName(request.pose.header.frameID),
            position: Vector3(x: position.x, y: position.y, z: position.z), headingRadians: attitude.headingRadians)
        guard let there = simulator.now({ $0.transform(place, to: FrameName(request.frameID)) }) else {
            return .init(success: false, message: failure)
        }
        var response = MRSMsgs.TransformPoseSrv.Response(success: true, message: success)
        response.pose.header = StdMsgs.Header(stamp: request.pose.header.stamp, frameID: request.frameID)
        let turned = Quaternion(headingRadians: there.headingRadians - place.headingRadians) * attitude
        response.pose.pose = GeometryMsgs.Pose(
            position: GeometryMsgs.Point(x: there.position.x, y: there.position.y, z: there.position.z),
            orientation: GeometryMsgs.Quaternion(x: turned.x, y: turned.y, z: turned.z, w: turned.w))
        return response
    }

    /// A vector has no place: it is the difference of two.
    private static func transform(
        _ request: MRSMsgs.TransformVector3Srv.Request, _ simulator: RunningSimulator
    ) -> MRSMsgs.TransformVector3Srv.Response {
        let (frame, wanted) = (FrameName(request.vector.header.frameID), FrameName(request.frameID))
        let vector = Vector3(x: request.vector.vector.x, y: request.vector.vector.y, z: request.vector.vector.z)
        let ends = simulator.now { simulator in
            [Vector3.zero, vector].map { position in
                simulator.transform(
                    PlaceReference(frame: frame, position: position, headingRadians: 0), to: wanted)?.position
            }
        }
        guard let begin = ends[0], let end = ends[1] else { return .init(success: false, message: failure) }
        let turned = end - begin
        var response = MRSMsgs.TransformVector3Srv.Response(success: true, message: success)
        response.vector.header = StdMsgs.Header(stamp: request.vector.header.stamp, frameID: request.frameID)
        response.vector.vector = GeometryMsgs.Vector3(x: turned.x, y: turned.y, z: turned.z)
        return response
    }

    private static func transform(
        _ request: MRSMsgs.TransformReferenceArraySrv.Request, _ simulator: RunningSimulator
    ) -> MRSMsgs.TransformReferenceArraySrv.Response {
        let (frame, wanted) = (request.array.header.frameID, FrameName(request.toFrameID))
        let places = request.array.array.map { PlaceReference($0, frame: frame) }
        let there = simulator.now { simulator in places.compactMap { simulator.transform($0, to: wanted) } }
        guard there.count == places.count else { return .init(success: false, message: failure) }
        var response = MRSMsgs.TransformReferenceArraySrv.Response(success: true, message: success)
        response.array.header = StdMsgs.Header(stamp: request.array.header.stamp, frameID: request.toFrameID)
        response.array.array = there.map { place in
            MRSMsgs.Reference(
                position: GeometryMsgs.Point(x: place.position.x, y: place.position.y, z: place.position.z),
                heading: place.headingRadians)
        }
        return response
    }
}
