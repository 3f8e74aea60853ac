import FlightTestKit
import Foundation
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What breaks while the real flight stack flies.
@Suite(
    .enabled(if: realFlightStackLacks == nil, "\(realFlightStackLacks ?? "")"), .serialized, .oneRealFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(15))))
struct RealFlightStackLossTests {
    @Test func `a landing that rosservice begins while a pilot steers goes on to the ground`() async throws {
        try await RealStackFlight.flying { stack, witness, watch in
            let ground = try await RealStackFlight.steering(stack, witness, watch)
            let call = try await rosservice(stack, "call", "/uav1/uav_manager/land")
            #expect(call.contains("landing initiated"), "\(call)")
            let begun = FlightTrack.now
            try await witness.sees("the vehicle landed", within: .seconds(60)) { $0.isLanded }
            let track = try await FlightTrack(witness, named: "landing-by-others").after(begun)
            #expect(track.greatestRise < 0.2, "it rose by \(track.greatestRise) m while it landed")
            #expect(abs(track.lastHeight) < 0.5)
            // The program has lost command, and says why. The stack first stops taking references and then changes its tracker:
            // its diagnostics, ten a second, may fall in between.
            #expect(try await ground.exit(within: .seconds(20)) == 1, "\(ground.errors)")
            let reasons = ["the vehicle is landing", "the vehicle accepts no references"]
            #expect(
                reasons.contains { ground.errors.contains("no pilot has control authority: \($0)") }, "\(ground.errors)"
            )
        }
    }

    @Test func `of two pilots one flies, and a take-over stops the vehicle first`() async throws {
        try await RealStackFlight.flying { stack, witness, watch in
            let anna = try await RealStackFlight.steering(stack, witness, watch)
            for refused in [["goto", "0", "0", "3"], ["steer", "--vy", "1", "--for", "1s"]] {
                let ben = try stack.launch(refused + ["--link", "tcp", "--quiet"])
                #expect(try await ben.exit(within: .seconds(60)) == 1, "\(refused): \(ben.errors)")
                #expect(ben.errors.contains("has had control authority for"), "\(ben.errors)")
            }
            let flown = try await FlightTrack(witness, named: "two-pilots-one-flies")
            #expect(flown.points.allSatisfy { $0.speed > 0.6 }, "she was disturbed")
            #expect(anna.exitStatus == nil, "\(anna.errors)")
            let release = try await stack.uavlink(
                "control", "--release", "--reason", "a tree", "--link", "tcp", "--quiet")
            #expect(release.status == 0, "\(release)")
            let taken = FlightTrack.now
            #expect(try await anna.exit(within: .seconds(20)) == 1, "\(anna.errors)")
            #expect(anna.errors.contains("a tree"), "\(anna.errors)")
            try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
            let goto = try await stack.uavlink("goto", "0", "0", "3", "--wait", "--link", "tcp", "--quiet")
            #expect(goto.status == 0, "\(goto)")
            let track = try await FlightTrack(witness, named: "two-pilots-take-over").after(taken)
            #expect(track.way(untilSlowerThan: 0.2) < 1.5)
            #expect(track.end(from: 0, 0) < 0.5)
            try await RealStackFlight.land(stack, witness)
        }
    }

    /// Who is done what to, while the vehicle flies at 1 m/s.
    enum Fault: String, CaseIterable {
        case groundTerm, groundKill, groundStop, companionTerm, companionKill, companionStop, rosnodeKill

        var isOfGround: Bool { [.groundTerm, .groundKill, .groundStop].contains(self) }
        var isStop: Bool { [.groundStop, .companionStop].contains(self) }

        /// The most way from the last setpoint until it stands, metres: its 1 m/s for the time until it is braked (200 ms of lease, or the tracker's 0.5 s)
        /// and half a second of braking at 2 m/s², and as much again for a busy machine.
        var way: Double { isBrakedByTracker ? 2 : 1.4 }

        /// Whether nothing is left that could brake it.
        var isBrakedByTracker: Bool { [.companionKill, .companionStop].contains(self) }

        /// The most time from the last setpoint that asks for motion to the first neutral one, milliseconds: at once by a companion or
        /// a ground that is asked to end, the lease of 200 ms where they cannot; twice that, since three processes are on the way.
        var brakeMilliseconds: Int { [.groundKill, .groundStop].contains(self) ? 400 : 250 }
    }

    /// In one flight, to and fro: whatever happened before, the next ground steers it, and the last one lands it.
    @Test func `a vehicle in motion stops, whoever is done what to`() async throws {
        let faults = Fault.allCases
        try await RealStackFlight.flying(each: Array(faults.enumerated())) { scene in
            let (number, fault) = (scene.part.offset, scene.part.element)
            try await strike(fault, scene.stack, scene.witness, scene.watch, speed: number.isMultiple(of: 2) ? 1 : -1)
            if number == faults.count - 1 { try await RealStackFlight.land(scene.stack, scene.witness) }
        }
    }

    private func strike(
        _ fault: Fault, _ stack: FlightStack, _ witness: FlightWitness, _ watch: SchedulingWatch, speed: Int
    ) async throws {
        let ground = try await RealStackFlight.steering(stack, witness, watch, speed: speed)
        let companion = try #require(stack.companionProcess())
        // The fault before may have ended the one that was there when this part began.
        watch.add(companion)
        let node = fault == .rosnodeKill ? try await rosnode(stack) : ""
        try await witness.sees("a setpoint just now") { $0.isSteeredNow }
        let struck = FlightTrack.now
        switch fault {
        case .groundTerm: ground.signal(SIGTERM)
        case .groundKill: ground.signal(SIGKILL)
        case .groundStop: ground.signal(SIGSTOP)
        case .companionTerm: kill(companion, SIGTERM)
        case .companionKill: kill(companion, SIGKILL)
        case .companionStop: kill(companion, SIGSTOP)
        case .rosnodeKill: _ = try await stack.master.tool("rosnode", "kill", node)
        }
        let rest = try await witness.sees("the vehicle at rest") { $0.restedAt > struck && $0.speed < 0.2 }
        let rested = FlightTrack.now
        // It goes on where it was: it has lost command by then, and moves nothing.
        if fault.isStop {
            try await Task.sleep(for: .seconds(1))
            if fault.isOfGround { ground.signal(SIGCONT) } else { kill(companion, SIGCONT) }
        }
        if fault.isOfGround {
            let status = try await ground.exit(within: .seconds(30))
            #expect(status != 0, "\(fault): \(ground.errors)")
        } else {
            // Its link looks for a companion again; the program's run of setpoints has ended.
            #expect(try await ground.exit(within: .seconds(60)) != 0, "\(fault): \(ground.errors)")
        }
        try await Task.sleep(for: .seconds(1))
        let track = try await FlightTrack(witness, named: "fault-\(fault)")
        let way = track.after(rest.setpointAt).way(untilSlowerThan: 0.2)
        let drift = track.after(rested).widest
        print(
            "real flight stack, \(fault): last setpoint after \(rest.setpointAt - struck) s, a neutral one",
            "\(rest.brakeMilliseconds.map(String.init) ?? "never") ms later, stood after \(way) m,",
            "then drifted \(drift) m; \(ground.errors)")
        #expect(rest.setpointAt > struck - 0.2, "\(fault): it was not steered any more when that happened")
        if !fault.isBrakedByTracker {
            let braked = try #require(rest.brakeMilliseconds, "\(fault): no neutral setpoint came")
            #expect(braked < fault.brakeMilliseconds, "\(fault)")
        }
        #expect(way < fault.way, "\(fault): it flew on for \(way) m")
        #expect(drift < 0.4 && track.after(rested + 0.5).fastest < 0.3, "\(fault): motion came back")
        #expect(
            try await witness.account().setpointAt == rest.setpointAt,
            "\(fault): a setpoint asked for motion again")
    }

    private enum LateLoss: CaseIterable { case gotoReplaced, roscoreKilled }

    /// In one flight, since the second part has to wait for longer than the first one takes.
    @Test func `a goto that replaces a goto, then a roscore that is killed and comes back`() async throws {
        try await RealStackFlight.flying(each: LateLoss.allCases) { scene in
            switch scene.part {
            case .gotoReplaced: try await replaceGoto(scene.stack, scene.witness)
            case .roscoreKilled:
                // Within seconds of its first take-off the stack itself leaves offboard mode when its master goes (seen by the witness in
                // five of five flights; in none after 20 s): that is another test than this one.
                try await Task.sleep(until: scene.tookOffAt + .seconds(20))
                try await restartRoscore(scene.stack, scene.witness, scene.watch)
            }
        }
    }

    private func replaceGoto(_ stack: FlightStack, _ witness: FlightWitness) async throws {
        _ = try await witness.track()
        let here = try #require(try await witness.account().position)
        // So far that it is still under way when the second program has started on a slow machine; across the middle of the stack's
        // world, which ends at 50 m.
        let far = min(40, 20 * MachinePace.factor)
        let away = here[0] > 0 ? -1.0 : 1
        let first = try await stack.uavlink(
            "goto", "\(here[0] + away * far)", "\(here[1])", "2", "--link", "udp", "--quiet")
        #expect(first.status == 0, "\(first)")
        try await witness.sees("the vehicle under way") { $0.speed > 1 }
        let second = try await stack.uavlink(
            "goto", "\(here[0])", "\(here[1] + 4)", "2", "--wait", "--link", "tcp", "--quiet")
        #expect(second.status == 0, "\(second)")
        let track = try await FlightTrack(witness, named: "goto-replaces-goto")
        #expect(track.end(from: here[0], here[1] + 4) < 0.5, "\(track.points.last as Any)")
        let farthest = track.points.map { away * ($0.position[0] - here[0]) }.max() ?? 0
        #expect(farthest > 0.5 && farthest < far - 1, "\(farthest)")
    }

    private func restartRoscore(
        _ stack: FlightStack, _ witness: FlightWitness, _ watch: SchedulingWatch
    ) async throws {
        let ground = try await RealStackFlight.steering(stack, witness, watch)
        await stack.master.kill()
        // Nodes know each other: who steers flies on.
        let struck = FlightTrack.now
        try await Task.sleep(for: .seconds(2))
        try await stack.master.start()
        try await Task.sleep(for: .seconds(2))
        #expect(ground.exitStatus == nil, "\(ground.errors)")
        ground.signal(SIGINT)
        #expect(try await ground.exit(within: .seconds(20)) == 130, "\(ground.errors)")
        try await witness.sees("the vehicle at rest") { $0.restedAt > struck && $0.speed < 0.2 }
        let track = try await FlightTrack(witness, named: "roscore-restart").after(struck)
        #expect(track.widest > 2, "it did not fly on: \(track.widest) m")
        // Nodes of the stack do not register themselves again: ours still knows where they are. Among themselves they do not,
        // so the stack refuses to land, whoever wants it; a goto goes on.
        let here = try #require(try await witness.account().position)
        let goto = try await stack.uavlink(
            "goto", "\(here[0] - 3)", "\(here[1])", "2", "--wait", "--link", "udp", "--quiet")
        #expect(goto.status == 0, "\(goto)")
        let back = try await FlightTrack(witness, named: "roscore-restart-goto")
        #expect(back.end(from: here[0] - 3, here[1]) < 0.5, "\(back.points.last as Any)")
        let landing = try await stack.uavlink("land", "--link", "udp", "--quiet")
        #expect(landing.status == 0 || landing.errors.contains("could not activate"), "\(landing)")
        // Strangers find nothing of it any more: the next test begins with another one.
        await stack.dismissWitness()
        await stack.stopSimulator()
        try await stack.startSimulator()
    }

    private func rosservice(_ stack: FlightStack, _ arguments: String...) async throws -> String {
        let child = try ChildProcess(["/usr/bin/rosservice"] + arguments, environment: stack.rosEnvironment)
        _ = try await child.exit(within: .seconds(30))
        return child.output + child.errors
    }

    private func rosnode(_ stack: FlightStack) async throws -> String {
        let names = try await stack.master.tool("rosnode", "list").output.split(separator: "\n")
        return String(try #require(names.first { $0.contains("uavlink_companion") }, "\(names)"))
    }
}
