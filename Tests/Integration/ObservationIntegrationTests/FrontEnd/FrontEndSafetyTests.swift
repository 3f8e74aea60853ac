import FlightTestKit
import Foundation
import IntegrationKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A user flies by hand, and something goes away in full motion. A rospy node watches what becomes of the vehicle; each test
/// says after how many milliseconds it was commanded to hover and stood still.
@Suite(
    .enabled(if: FlightStack.missing == nil, "\(FlightStack.missing ?? "")"), .serialized, .oneFlightStack,
    .timeLimit(.minutes(MachinePace.minutes(5))))
struct FrontEndSafetyTests {
    @Test func `a front end that is killed in full motion leaves the vehicle hovering`() async throws {
        try await flying { terminal, stack, witness in
            let process = try await terminal.process()
            let rested = try await Self.losing("front end killed", stack, witness) { kill(process, SIGKILL) }
            try await stack.expectStill(rested)
        }
    }

    @Test func `a front end that is stopped in full motion leaves the vehicle hovering, and goes on without moving it`()
        async throws
    {
        try await flying { terminal, stack, witness in
            let process = try await terminal.process()
            let rested = try await Self.losing("front end stopped", stack, witness) { kill(process, SIGSTOP) }
            try await stack.expectStill(rested)
            // The key is still held when it goes on.
            kill(process, SIGCONT)
            try await terminal.sees("RELEASED")
            try await stack.expectStill(rested)
            try await terminal.leave()
        }
    }

    @Test func `a terminal that loses the focus in full motion leaves the vehicle hovering`() async throws {
        try await flying { terminal, stack, witness in
            let rested = try await Self.losing(nil, stack, witness) { await terminal.focus(false) }
            print(
                "focus lost: at rest \(Self.milliseconds(rested.restedAt - rested.setpointAt)) ms after the last setpoint"
            )
            try await terminal.sees("the terminal lost focus")
            try await stack.expectStill(rested)
            try await terminal.leave()
        }
    }

    @Test func `a key that is let go of stops the vehicle, and a polite kill gives the terminal back`() async throws {
        try await flying { terminal, stack, witness in
            let ends = [try await terminal.process()] + [stack.companionProcess()].compactMap(\.self)
            let (watch, begin) = (SchedulingWatch(ends), SchedulingWatch.now)
            await terminal.letGo()
            let still = try await witness.sees("the vehicle at rest") { $0.speed < 0.2 }
            // Control stays, unless the machine stood still for the second after which a silent link gives it back, or, while the
            // vehicle moved, for the lease.
            let screen = try await terminal.sees("control, or why it ended") { lines in
                lines.contains { $0.contains("ENGAGED") || $0.contains("steering ended: ") }
            }
            let isSilent = screen.contains { $0.contains("steering ended: the link failed") }
            if !screen.contains(where: { $0.contains("ENGAGED") }) {
                print("front end: NOT JUDGED on this machine: whether control stays when a key is let go of")
                watch.settle()
                let now = SchedulingWatch.now
                #expect(
                    watch.longestWait(from: begin, to: now) > (isSilent ? 500_000_000 : 90_000_000),
                    "\(screen) \(watch.account(from: begin, to: now))")
            }
            #expect(still.setpoints > 0)
            kill(try await terminal.process(), SIGTERM)
            #expect(try await terminal.exit() == 143)
            #expect(await terminal.isGivenBack)
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a front end that is asked to end in full motion has the vehicle hover, and gives the terminal back`(
        signal: Int32
    ) async throws {
        try await flying { terminal, stack, witness in
            let process = try await terminal.process()
            let rested = try await Self.losing(nil, stack, witness) { kill(process, signal) }
            #expect(try await terminal.exit() == 128 + signal)
            #expect(await terminal.isGivenBack)
            try await stack.expectStill(rested)
        }
    }

    @Test func `a game controller that is pulled in full motion leaves the vehicle hovering`() async throws {
        try await flying(by: .controller) { terminal, stack, witness in
            let rested = try await Self.losing(nil, stack, witness) { try await terminal.controller("detach") }
            print(
                "controller pulled: at rest \(Self.milliseconds(rested.restedAt - rested.setpointAt)) ms after the last setpoint"
            )
            try await terminal.sees("the game controller was unplugged")
            // Plugged in again with its stick where it was, it moves nothing.
            try await terminal.controller("attach")
            try await terminal.controller("axis righty 1")
            try await stack.expectStill(rested)
            try await terminal.leave()
        }
    }

    // MARK: The flight

    private enum Hands { case keyboard, controller }

    /// Takes off, takes control, and flies forward at full speed; lands whatever `body` does.
    private func flying(
        by hands: Hands = .keyboard, _ body: (PilotsTerminal, FlightStack, FlightWitness) async throws -> Void
    ) async throws {
        let stack = try await sharedStack()
        let witness = try await stack.witness()
        let takeOff = try await stack.uavlink("takeoff", "--arm", "--wait", "--link", "udp", "--quiet")
        #expect(takeOff.status == 0, "\(takeOff)")
        let terminal = try await PilotsTerminal(stack, hasController: hands == .controller)
        do {
            try await terminal.openJoystick()
            switch hands {
            case .keyboard: try await terminal.takeControlAndHoldForward()
            case .controller: try await terminal.takeControlByStick()
            }
            try await Self.getUnderWay(terminal, hands, stack, witness)
            try await body(terminal, stack, witness)
        } catch {
            await terminal.stop()
            throw error
        }
        await terminal.stop()
        let landing = try await stack.uavlink("land", "--wait", "--link", "udp", "--quiet")
        #expect(landing.status == 0, "\(landing)")
        try await witness.sees("the vehicle landed") { $0.isLanded }
    }

    /// Waits until the vehicle flies at full speed. On a busy machine a pause can outlast the lease, or the second after which
    /// a silent link gives control back; after one that outlasts the repetitions of the key, or the screen's heartbeat, what is
    /// pushed does not count before it was let go of, and the vehicle stands. Then the user lets go, takes control where it is
    /// lost, and pushes again.
    private static func getUnderWay(
        _ terminal: PilotsTerminal, _ hands: Hands, _ stack: FlightStack, _ witness: FlightWitness
    ) async throws {
        for _ in 0..<10 {
            let lapses = stack.leaseLapses
            var patience = Patience(.seconds(30))
            // The odometry since which the vehicle stands: a hundred of them are a second of its own.
            var standing: Int?
            while true {
                let account = try await witness.account()
                if account.speed > 1.2 { return }
                standing = account.speed < 0.2 ? standing ?? account.odometry : nil
                if let standing, account.odometry > standing + 500 { break }
                if await terminal.isReleased || stack.leaseLapses > lapses { break }
                guard !patience.isOver() else { throw ProcessFailure("the vehicle is never under way") }
                try await Task.sleep(for: .milliseconds(50))
            }
            print("front end: steering was interrupted before the vehicle was under way; once more")
            try await terminal.letGo(hands == .controller)
            try await witness.sees("the vehicle at rest") { $0.speed < 0.2 }
            try await terminal.push(hands == .controller)
        }
        throw ProcessFailure("steering was interrupted each time: \(stack.companionLog)")
    }

    /// Takes something away, and waits until the vehicle stands.
    private static func losing(
        _ name: String?, _ stack: FlightStack, _ witness: FlightWitness, _ take: () async throws -> Void
    ) async throws -> FlightWitness.Account {
        let watch = try await stack.schedulingWatch()
        let before = stack.leaseLapses
        try await take()
        let rested = try await witness.sees("the vehicle at rest") { $0.restedAt > $0.setpointAt && $0.speed < 0.2 }
        guard let name else { return rested }
        // Whoever is killed cannot say so: the companion's lease commands hover.
        // The log comes a moment after what it tells of; the time in its line counts.
        #expect(await eventually { stack.leaseLapses > before }, "\(stack.companionLog)")
        try await stack.expectHover(name, rested, watch)
        return rested
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int(seconds * 1000) }
}

/// The front end in a terminal that tells key-ups, with hands on its keyboard or its game controller.
private actor PilotsTerminal {
    private let terminal: KittyTerminal
    private let pipe: String?
    private var held: Task<Void, Never>?
    private var answering: Task<Void, Never>?

    init(_ stack: FlightStack, hasController: Bool) async throws {
        var environment = stack.groundEnvironment
        var pipe: String?
        if hasController {
            let path = stack.folder.path + "/controller-\(UInt32.random(in: 0 ... .max))"
            environment["UAVLINK_VIRTUAL_CONTROLLER"] = path
            pipe = path
        }
        self.pipe = pipe
        terminal = try KittyTerminal(
            [BuiltPrograms.path("uavlink"), "--config", stack.configuration, "--vehicle", "stack", "--link", "udp"],
            environment: environment)
    }

    func process() async throws -> Int32 { try await terminal.process() }
    func sees(_ text: String) async throws { try await terminal.sees(text) }
    func sees(_ what: String, _ isRight: @Sendable ([String]) -> Bool) async throws -> [String] {
        try await terminal.sees(what, isRight)
    }
    func focus(_ hasFocus: Bool) async { await terminal.focus(hasFocus) }
    func exit() async throws -> Int32 { try await terminal.exit() }
    var isGivenBack: Bool { get async { await terminal.isGivenBack } }

    /// A vehicle that was named on the command line is logged in to without a key.
    func openJoystick() async throws {
        answering = terminal.answer()
        try await terminal.sees("What do you want to do?", within: .seconds(40))
        await terminal.press("1")
        try await terminal.sees("flying")
    }

    func takeControlAndHoldForward() async throws {
        try await terminal.sees("held keys")
        await terminal.pressEnter()
        try await terminal.sees("ENGAGED")
        held = terminal.hold("w")
    }

    func takeControlByStick() async throws {
        await terminal.press("c")
        try await terminal.sees("source uavlink virtual controller")
        try controller("button start press")
        try await terminal.sees("ENGAGED")
        try controller("axis righty 1")
    }

    /// A line for the virtual controller.
    func controller(_ line: String) throws {
        guard let pipe else { throw ProcessFailure("this front end has no virtual controller") }
        try VirtualController(pipe: pipe).does(line)
    }

    /// Whether the front end has given control back.
    var isReleased: Bool { get async { await terminal.screen().contains { $0.contains("RELEASED") } } }

    /// Takes control where it is lost, and pushes forward, by the stick or by the key.
    func push(_ isStick: Bool) async throws {
        if await isReleased {
            if isStick { try controller("button start press") } else { await terminal.pressEnter() }
            try await terminal.sees("ENGAGED")
        }
        if isStick { try controller("axis righty 1") } else { held = terminal.hold("w") }
    }

    /// Lets go of what ``push(_:)`` pushed.
    func letGo(_ isStick: Bool) async throws {
        if isStick { try controller("axis righty 0") } else { await letGo() }
    }

    func letGo() async {
        held?.cancel()
        await held?.value
        held = nil
        await terminal.up("w")
    }

    /// Leaves the front end as a user does.
    func leave() async throws {
        await letGo()
        await terminal.pressFunction(10)
        try await terminal.sees("Quit in flight")
        // The frame may come in pieces, and counts as on the screen once the terminal has answered what stands at its end: what is
        // typed before is typed ahead. Nobody is that fast.
        try await Task.sleep(for: .milliseconds(300))
        await terminal.press("y")
        #expect(try await terminal.exit() == 0)
    }

    func stop() async {
        held?.cancel()
        answering?.cancel()
        await terminal.stop()
    }
}
