import Synchronization
import Testing
import UAVLink
import UAVTestKit

@testable import FlightPlans
@testable import Tello

/// Flying a plan: in order, one step after another, paused, stopped and landed at once.
@Suite("Flight plans flown") struct PlanRunnerTests {
    @Test func `steps are flown in order, each after the answer to the one before`() async {
        let rig = PlanRig("takeoff", "forward 100", "wait 2", "land")
        let task = await rig.begin()
        #expect(rig.drone.sent == ["takeoff"])
        await rig.clock.run(for: .milliseconds(1100))
        #expect(rig.drone.sent == ["takeoff", "forward 100"])
        await rig.clock.run(for: .milliseconds(2500))
        #expect(rig.drone.sent.count == 2, "it waits")
        await rig.clock.run(for: .seconds(3))
        #expect(await task.value == .flown)
        #expect(rig.drone.sent == ["takeoff", "forward 100", "land"])
        #expect(rig.drone.state.withLock { $0.plan } == nil)
        #expect(rig.drone.state.withLock { $0.questions } >= 15, "while it waits the link is in use")
    }

    @Test func `a stop is sent while a step is flown, and nothing follows`() async throws {
        let rig = PlanRig("takeoff", "forward 100", "land")
        let task = await rig.begin()
        await rig.clock.run(for: .milliseconds(1500))
        try await rig.runner.stop()
        #expect(rig.drone.sent.last == "! hover")
        await rig.clock.run(for: .seconds(5))
        #expect(await task.value == .stopped)
        #expect(rig.drone.sent == ["takeoff", "forward 100", "! hover"])
    }

    @Test func `a landing is sent at once, and nothing follows`() async throws {
        let rig = PlanRig("takeoff", "wait 60", "land")
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(5))
        try await rig.runner.land()
        await rig.clock.run(for: .seconds(5))
        #expect(await task.value == .landed)
        #expect(rig.drone.sent == ["takeoff", "! land"])
    }

    @Test func `the plan is over only when its landing was answered: the link is closed after that`() async {
        let rig = PlanRig("takeoff", "wait 60", "land")
        rig.drone.state.withLock { $0.orderTakes = .seconds(4) }
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(5))
        let landing = Task { [runner = rig.runner] in try? await runner.land() }
        await rig.clock.run(for: .seconds(3))
        #expect(rig.drone.sent == ["takeoff", "! land"])
        #expect(rig.runner.progress == .flying(1), "the landing is not answered yet")
        await rig.clock.run(for: .seconds(3))
        #expect(await task.value == .landed)
        #expect(await landing.value?.accepted == true && rig.runner.orderFailure == nil)
    }

    @Test func `a landing waits for no stop that is not answered, and is the end`() async {
        let rig = PlanRig("takeoff", "wait 60", "land")
        rig.drone.state.withLock { $0.orderTakes = .seconds(4) }
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(5))
        let stop = Task { [runner = rig.runner] in try? await runner.stop() }
        await settle()
        let landing = Task { [runner = rig.runner] in try? await runner.land() }
        await settle()
        #expect(rig.drone.sent == ["takeoff", "! hover", "! land"])
        await rig.clock.run(for: .seconds(10))
        #expect(await task.value == .landed)
        _ = await (stop.value, landing.value)
    }

    @Test func `a stop after a landing is the end`() async {
        let rig = PlanRig("takeoff", "wait 60", "land")
        rig.drone.state.withLock { $0.orderTakes = .seconds(4) }
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(5))
        let landing = Task { [runner = rig.runner] in try? await runner.land() }
        await settle()
        let stop = Task { [runner = rig.runner] in try? await runner.stop() }
        await settle()
        await rig.clock.run(for: .seconds(10))
        #expect(await task.value == .stopped)
        #expect(rig.drone.sent == ["takeoff", "! land", "! hover"])
        _ = await (stop.value, landing.value)
    }

    @Test func `an order that a newer one has overtaken is not sent after it`() async throws {
        let rig = PlanRig("takeoff", "wait 60", "land")
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(5))
        let stop = rig.runner.order(.stop)
        let landing = rig.runner.order(.land)
        try await rig.runner.carryOut(landing)
        let late = try await rig.runner.carryOut(stop)
        #expect(!late.accepted && CommandReply.isOverruled(late.message) && rig.drone.sent == ["takeoff", "! land"])
        await rig.clock.run(for: .seconds(5))
        #expect(await task.value == .landed && rig.runner.orderFailure == nil)
    }

    @Test func `an order that the drone refuses is not told as obeyed`() async {
        let rig = PlanRig("takeoff", "wait 60", "land")
        rig.drone.state.withLock { $0.orderReply = CommandReply(accepted: false, message: "error") }
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(5))
        _ = try? await rig.runner.land()
        await rig.clock.run(for: .seconds(5))
        #expect(await task.value == .landed && rig.runner.orderFailure == "error")
    }

    @Test func `while a step is flown the link is in use, and no longer`() async {
        let rig = PlanRig("takeoff", "land")
        rig.drone.state.withLock { $0.isHanging = true }
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(20))
        let questions = rig.drone.state.withLock { $0.questions }
        #expect(questions >= 150, "the drone would land by itself 15 s after the last word")
        await rig.clock.run(for: .seconds(200))
        guard case .failed(0, _) = await task.value else { return #expect(Bool(false)) }
        let last = rig.drone.state.withLock { $0.questions }
        await rig.clock.run(for: .seconds(10))
        #expect(rig.drone.state.withLock { $0.questions } == last)
    }

    @Test func `it pauses after the present step, and flies on`() async {
        let rig = PlanRig("takeoff", "forward 100", "land")
        let task = await rig.begin()
        rig.runner.pause()
        await rig.clock.run(for: .seconds(60))
        #expect(rig.drone.sent == ["takeoff"] && rig.runner.progress == .paused(1))
        rig.runner.resume()
        await rig.clock.run(for: .seconds(5))
        #expect(await task.value == .flown)
    }

    @Test func `a pause without an end is ended, and the drone landed`() async {
        let rig = PlanRig("takeoff", "forward 100", "land")
        let task = await rig.begin()
        rig.runner.pause()
        await rig.clock.run(for: .seconds(310))
        guard case .failed(1, let words) = await task.value else { return #expect(Bool(false)) }
        #expect(words.hasPrefix("paused for 300 s") && rig.drone.sent == ["takeoff", "land"])
    }

    @Test func `stepwise it waits before each step, the first one too`() async {
        let rig = PlanRig("takeoff", "forward 100", "land")
        rig.runner.stepwise()
        let task = await rig.begin()
        for expected in [["takeoff"], ["takeoff", "forward 100"], ["takeoff", "forward 100", "land"]] {
            await rig.clock.run(for: .seconds(3))
            #expect(rig.drone.sent == expected.dropLast())
            rig.runner.resume()
            await rig.clock.run(for: .seconds(3))
            #expect(rig.drone.sent == expected)
        }
        #expect(await task.value == .flown)
    }

    @Test func `each pause is reported once, however long it is`() async {
        let clock = FakeClock()
        let reported = Mutex<[PlanRunner.Progress]>([])
        let plan = PlanReader.read(Array("takeoff\nland\n".utf8)).plan
        let runner = PlanRunner(plan, on: FakeDrone(clock), clock: clock) { progress in
            reported.withLock { $0.append(progress) }
        }
        runner.stepwise()
        let task = Task { await runner.run() }
        for _ in plan.steps {
            await clock.run(for: .seconds(5))
            runner.resume()
            await clock.run(for: .seconds(5))
        }
        #expect(await task.value == .flown)
        #expect(
            reported.withLock { $0 } == [.paused(0), .flying(0), .paused(1), .flying(1), .ended(.flown)])
    }

    @Test func `the line about the keys names each of them, and no other letter is one`() {
        let letters = (UInt8.min...UInt8.max).filter { PlanKey(letter: $0) != nil }
        #expect(letters.compactMap { PlanKey(letter: $0) }.count == PlanKey.allCases.count)
        #expect(Set(letters.compactMap { PlanKey(letter: $0) }) == Set(PlanKey.allCases))
        #expect(PlanKey(letter: nil) == .resume && PlanKey.help.contains("Enter alone"))
        for letter in letters {
            #expect(PlanKey.help.contains(" \(Character(UnicodeScalar(letter))) "), "\(letter)")
        }
    }

    @Test func `a step that is refused ends the plan, and the drone is landed, once`() async {
        let rig = PlanRig("takeoff", "forward 100", "back 100", "land")
        rig.drone.state.withLock { $0.refusals["forward 100"] = "error No valid imu" }
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(10))
        #expect(await task.value == .failed(1, "the Tello answers 'error No valid imu'"))
        #expect(rig.drone.sent == ["takeoff", "forward 100", "land"])
    }

    @Test func `a step that is not answered is not repeated`() async {
        let rig = PlanRig("takeoff", "land")
        rig.drone.state.withLock { $0.isHanging = true }
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(200))
        guard case .failed(0, _) = await task.value else { return #expect(Bool(false)) }
        #expect(rig.drone.sent == ["takeoff", "land"])
    }

    @Test func `what somebody else has stopped is neither flown on nor undone`() async {
        let rig = PlanRig("takeoff", "wait 5", "forward 100", "land")
        let task = await rig.begin()
        await rig.clock.run(for: .seconds(3))
        _ = try? await rig.drone.perform(.land, within: .seconds(1))
        await rig.clock.run(for: .seconds(10))
        #expect(await task.value == .stopped)
        #expect(rig.drone.sent == ["takeoff", "! land"])
    }

    @Test func `a cancelled flight is stopped`() async {
        let rig = PlanRig("takeoff", "forward 100", "land")
        let task = await rig.begin()
        await rig.clock.run(for: .milliseconds(1500))
        task.cancel()
        await rig.clock.run(for: .seconds(3))
        #expect(await task.value == .stopped)
        #expect(rig.drone.sent == ["takeoff", "forward 100", "stop"])
    }

    @Test func `a drone that is stopped from elsewhere is not stopped again, nor landed`() async {
        let rig = PlanRig("takeoff", "forward 100", "land")
        rig.drone.state.withLock { $0.refusals["forward 100"] = "forced stop" }
        let task = await rig.begin()
        await rig.clock.run(for: .milliseconds(1500))
        rig.runner.yield(to: .stop)
        await rig.clock.run(for: .seconds(5))
        #expect(await task.value == .stopped && rig.runner.orderFailure == nil)
        #expect(rig.drone.sent == ["takeoff", "forward 100"])
    }

    @Test func `a plan that may not begin sends nothing`() async {
        let rig = PlanRig("takeoff", "land")
        rig.drone.state.withLock {
            $0.beginning = LinkError(.notInCommand, "the Tello is in the air", hint: "land first")
        }
        let task = await rig.begin()
        #expect(await task.value == .refused("the Tello is in the air; land first"))
        #expect(rig.drone.sent == [])
    }
}
