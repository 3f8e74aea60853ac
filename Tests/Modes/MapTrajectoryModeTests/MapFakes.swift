import FlightControl
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import RouteFlight
import RouteKit
import UAVLink
import UAVTestKit

/// The map's screen as a test sees it.
@MainActor
final class FakeMapView: MapTrajectoryView {
    var shown = MapTrajectoryScreenState()
    /// A view holds its presenter, and nothing else does.
    var presenter: MapTrajectoryPresenter?
    func show(_ state: MapTrajectoryScreenState) { shown = state }
}

/// The map on a stage with a fake vehicle.
@MainActor
final class MapBench {
    let stage = FakeStage()
    let timeSource = FakeTimeSource()
    let flights: RouteFlights
    let desk: RouteDocument
    let files: MemoryFiles
    let link: FakeLink
    let fleet: Fleet
    var view = FakeMapView()
    private(set) var instance: ModeInstance?

    init(files: [String: String] = [:], loggedIn: Bool = true) {
        flights = RouteFlights()
        desk = RouteDocument(flights: flights)
        self.files = MemoryFiles(files)
        link = FakeLink(clock: timeSource.fake)
        fleet = loggedIn ? .withFake(link, timeSource: timeSource) : Fleet(timeSource: timeSource)
    }

    func open() async {
        try? await link.connect(within: .seconds(1))
        link.setVehicleSilent(true)
        instance = MapTrajectoryBuilder(.init(fleet: fleet, desk: desk, files: files, timeSource: timeSource)).build(
            on: stage
        ) { presenter in
            view.presenter = presenter
            return view
        }
        view.presenter?.handle(.resize(columns: 80, rows: 20))
        await settle()
    }

    func close() {
        instance?.detach()
        instance = nil
    }

    func `do`(_ intents: MapTrajectoryIntent...) { for intent in intents { view.presenter?.handle(intent) } }

    /// The vehicle tells where it is.
    func tell(
        _ position: Vector3, index: Int? = nil, of length: Int = 0, state: FlightState = .flying, goal: Bool = false,
        battery: Double = 0.9
    ) {
        var telemetry = Telemetry(vehicle: "uav1")
        let now = timeSource.clock.now
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_garmin_origin"), positionMetres: position, headingRadians: 0.5), at: now)
        telemetry.flight = Sample(
            FlightStatus(state: state, isArmed: true, isOffboard: true, isOutputEnabled: true, isFlyingNormally: true),
            at: now)
        telemetry.tracker = Sample(
            TrackerStatus(
                tracker: "MpcTracker", controller: "Se3Controller", takesReferences: true,
                hasGoal: goal || index != nil, isTrackingTrajectory: index != nil, trajectoryIndex: index ?? 0,
                trajectoryLength: length), at: now)
        telemetry.battery = Sample(Battery(voltageVolts: 23, remaining: battery), at: now)
        link.publish(telemetry)
    }

    /// The route is planned.
    func planned() async -> Bool {
        await becomesTrue { view.shown.route.isPathCurrent && !view.shown.route.plan.isEmpty }
    }

    static let world = """
        mrs_uav_managers:
          world_origin: {units: "LATLON", origin_x: 47.397743, origin_y: 8.545594}
          safety_area_manager:
            safety_area:
              enabled: true
              horizontal: {frame_name: "world_origin", points: [-50, -50, 50, -50, 50, 50, -50, 50]}
              vertical: {frame_name: "world_origin", min_z: 1.0, max_z: 15.0}
        """
}
