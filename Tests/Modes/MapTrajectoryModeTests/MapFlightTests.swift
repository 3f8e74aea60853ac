import FlightControl
import RouteFlight
import RouteKit
import MapTrajectoryMode
import ModeKit
import ModeTestKit
import Testing
import UAVLink
import UAVTestKit

/// Flying the route.
extension MapTrajectoryTests {
    @Test("Sent, to the start, flown: each after a yes; stop without one")
    func flying() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.tell(Vector3(x: 0, y: 3, z: 5))
        #expect(await bench.planned())
        bench.do(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text.contains("no trajectory was sent") == true)
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        #expect(
            bench.view.shown.confirmation?.facts.contains(LabeledValue("to the start", "3.0 m, straight")) == true)
        #expect(bench.link.commands == [])
        bench.do(.confirm)
        #expect(await becomesTrue { bench.link.commands.count == 1 })
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .sent)
        bench.link.always(.reply(CommandReply(accepted: true, message: "")))
        bench.do(.route(.act(.goToStart)))
        #expect(bench.view.shown.confirmation?.title == "Fly uav1 to the start of its trajectory?")
        bench.do(.decline)
        #expect(bench.view.shown.confirmation == nil)
        bench.do(.route(.act(.goToStart)), .confirm)
        #expect(await becomesTrue { bench.link.commands.last == .goToTrajectoryStart })
        // The key of this screen is named, not the command of the command line.
        bench.tell(Vector3(x: 0, y: 13, z: 5))
        await bench.timeSource.beat()
        bench.do(.route(.act(.start)))
        #expect(bench.stage.notices.last?.text.hasSuffix("fly to the start first (g)") == true)
        bench.tell(Vector3(x: 0, y: 1, z: 5), goal: true)
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .toStart)
        bench.do(.route(.act(.start)), .confirm)
        #expect(await becomesTrue { bench.link.commands.last == .startTrajectory })
        let samples =
            bench.link.commands.compactMap { command -> Trajectory? in
                if case .uploadTrajectory(let trajectory) = command { trajectory } else { nil }
            }.first?.points ?? []
        for index in stride(from: 0, to: samples.count, by: 20) {
            bench.tell(samples[index].position + Vector3(x: 0, y: 0.1, z: 0), index: index, of: samples.count)
            await bench.timeSource.beat()
        }
        #expect(bench.view.shown.route.stage == .flying)
        #expect(bench.view.shown.route.progress.map { $0 > 0.9 } == true)
        #expect(bench.view.shown.flown.count > 5)
        #expect(bench.view.shown.route.trackError.first == LabeledValue("cross-track", "mean 0.10 m"))
        bench.do(.route(.act(.stop)))
        #expect(await becomesTrue { bench.link.commands.last == .stopTrajectory })
        bench.tell(Vector3(x: 20, y: 0, z: 5))
        await bench.timeSource.beat()
        #expect(bench.view.shown.route.stage == .stopped)
        bench.do(.route(.act(.resume)), .confirm)
        #expect(await becomesTrue { bench.link.commands.last == .resumeTrajectory })
        bench.close()
    }

    @Test("A stop from outside takes the question back")
    func stopped() async {
        let bench = MapBench()
        await withRoute(bench)
        #expect(await bench.planned())
        bench.tell(Vector3(x: 0, y: 0, z: 5))
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.instance?.stopMotion(.user)
        #expect(bench.view.shown.confirmation == nil)
        bench.do(.confirm)
        await settle()
        #expect(bench.link.commands == [])
        bench.close()
    }

    @Test("Snapshots are taken at the points that ask for them")
    func snapshots() async {
        let bench = MapBench()
        await withRoute(bench)
        bench.do(.route(.toggleSnapshot), .place(MapPlace(east: 30, north: 0)))
        #expect(await bench.planned())
        bench.tell(Vector3(x: 0, y: 0, z: 5))
        bench.do(.route(.act(.send)))
        #expect(await becomesTrue { bench.view.shown.confirmation != nil })
        bench.do(.confirm)
        #expect(await becomesTrue { bench.link.commands.count == 1 })
        await settle()
        guard case .uploadTrajectory(let trajectory) = bench.link.commands.first else {
            Issue.record("nothing was sent")
            return
        }
        bench.tell(Vector3(x: 29, y: 0, z: 5), index: trajectory.points.count - 1, of: trajectory.points.count)
        await bench.timeSource.beat()
        #expect(await becomesTrue { bench.link.commands.last == .snapshot(service: Command.defaultSnapshotService) })
        await bench.timeSource.beat()
        #expect(bench.link.commands.count == 2)
        bench.close()
    }
}
