import Geodesy
import Testing
import Trajectories
import UAVLink

@testable import FlightPlans
@testable import Tello

/// Plans as routes, and routes as plans.
@Suite("Flight plans and routes") struct PlanRouteTests {
    private func plan(_ text: String) -> FlightPlan { PlanReader.read(Array(text.utf8)).plan }

    private func point(_ x: Double, _ y: Double, _ z: Double, _ heading: RoutePoint.HeadingRule? = nil) -> RoutePoint {
        RoutePoint(
            place: .local(xMetres: x, yMetres: y, frame: .localOrigin),
            altitude: .init(metres: z, reference: .frame(.localOrigin)), heading: heading)
    }

    @Test func `a plan becomes points with heights, headings and holds`() throws {
        let route = try PlanRoute.route(of: plan("takeoff\nforward 100\ncw 90\nwait 3\nspeed 50\nflip l\nland"))
        #expect(route.value.points.count == 3)
        #expect(route.value.points[1].place == .local(xMetres: 1, yMetres: 0, frame: .localOrigin))
        #expect(route.value.points[1].altitude == .init(metres: 0.8, reference: .frame(.localOrigin)))
        #expect(route.value.points[2].holdSeconds == 3 && route.value.points[1].holdSeconds == 0)
        guard case .fixed(let radians)? = route.value.points[2].heading else {
            throw LinkError(.internalFault, "no heading")
        }
        #expect(abs(radians + .pi / 2) < 1e-9)
        #expect(route.notes == ["line 6: a route has no flips"])
    }

    @Test func `a plan whose place is lost is no route, and says from where on`() {
        let error = #expect(throws: PlanProblem.self) {
            try PlanRoute.route(of: plan("mon\ntakeoff\ngo 50 0 100 50 m1\nland"))
        }
        #expect(error?.line == 3)
    }

    @Test func `a route becomes turns and moves that every edition flies, and passes the checks`() throws {
        let route = Route(points: [point(10, 10, 1.5), point(10, 22, 1.5), point(8, 22, 1.0, .fixed(radians: 0))])
        let made = try PlanRoute.plan(of: route).value
        #expect(
            made.steps.map(\.action.text) == [
                "takeoff", "up 70", "ccw 90", "forward 500", "forward 500", "forward 200", "down 50", "ccw 90",
                "forward 200", "cw 180", "land",
            ])
        let check = PlanCheck(made, for: .sdk13)
        #expect(check.problems == [], "\(check.problems)")
        let end = try #require(check.run.moments.last?.place)
        #expect((end - Vector3(x: -2, y: 12, z: 0)).length < 0.001)
    }

    @Test func `what is left for the last move is never too short for one`() throws {
        let made = try PlanRoute.plan(of: Route(points: [point(0, 0, 0.8), point(5.1, 0, 0.8)])).value
        #expect(made.steps.map(\.action.text) == ["takeoff", "forward 400", "forward 110", "land"])
    }

    @Test func `legs that are too short are flown with those that follow`() throws {
        let route = Route(points: [point(0, 0, 0.8), point(0.15, 0, 0.8), point(0.3, 0, 0.8), point(0.4, 0, 0.8)])
        let made = try PlanRoute.plan(of: route)
        #expect(made.value.steps.map(\.action.text) == ["takeoff", "forward 30", "land"])
        #expect(made.notes == ["2 legs of less than 0.2 m were added to those that follow"])
    }

    @Test func `places by latitude and longitude are metres from the first one`() throws {
        func geographic(_ latitude: Double, _ longitude: Double) -> RoutePoint {
            RoutePoint(
                place: .geographic(GeographicCoordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)),
                altitude: .init(metres: 0.8, reference: .home))
        }
        let made = try PlanRoute.plan(of: Route(points: [geographic(60, 15), geographic(60, 15.0001)])).value
        // A ten-thousandth of a degree at 60 degrees north: 5.56 m.
        #expect(made.steps.map(\.action.text) == ["takeoff", "forward 500", "forward 56", "land"])
    }

    @Test func `what a plan cannot hold of the flight is an omission, an error unless it is allowed`() throws {
        let corner = GeographicCoordinate(latitudeDegrees: 60, longitudeDegrees: 15)
        let circle = Geofence.Area.Shape.circle(centre: corner, radiusMetres: 5)
        let fence = Geofence([
            .init(circle, isInclusion: false), .init(circle, isInclusion: true), .init(circle, isInclusion: false),
        ])
        var hold = point(0, 0, 0.8)
        hold.holdSeconds = 601
        let towards = point(2, 0, 0.8, .towards(.local(xMetres: 9, yMetres: 9, frame: .localOrigin)))
        let made = try PlanRoute.plan(of: Route(points: [hold, towards]), within: fence)
        #expect(
            made.omissions == [
                "an area of the geofence that must not be left is left out: a flight plan has no geofence",
                "2 areas of the geofence that must not be entered are left out: a flight plan has no geofence",
                "point 1: its hold is cut to 600 s", "point 2: its heading towards a place is left out",
            ])
        let short = try PlanRoute.plan(of: Route(points: [point(0, 0, 0.8), point(2, 0, 0.8)]))
        #expect(short.omissions == [])
        for allows in [false, true] {
            let lost = PlanRoute.problems(omissions: made.omissions, notes: ["a note"], allowsOmissions: allows)
            #expect(lost.map(\.what) == made.omissions + ["a note"])
            #expect(PlanCheck(short.value, found: lost).isOK == allows)
        }
        let note = PlanRoute.problems(omissions: [], notes: ["a note"], allowsOmissions: false)
        #expect(PlanCheck(short.value, found: note).isOK)
    }

    @Test func `a route of another machine is refused with its point`() {
        let far = #expect(throws: PlanProblem.self) {
            try PlanRoute.plan(of: Route(points: [point(0, 0, 1), point(900, 0, 1)]))
        }
        #expect(far?.what.hasPrefix("point 2 is farther away") == true)
        let mixed = Route(points: [
            point(0, 0, 1), RoutePoint(place: .local(xMetres: 0, yMetres: 1, frame: .worldOrigin)),
        ])
        #expect(throws: PlanProblem.self) { try PlanRoute.plan(of: mixed) }
        let sea = RoutePoint(
            place: .local(xMetres: 0, yMetres: 0, frame: .localOrigin),
            altitude: .init(metres: 300, reference: .meanSeaLevel))
        #expect(throws: PlanProblem.self) { try PlanRoute.plan(of: Route(points: [sea])) }
        #expect(throws: PlanProblem.self) { try PlanRoute.plan(of: Route()) }
    }
}
