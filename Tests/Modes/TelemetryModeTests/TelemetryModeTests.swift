import FlightControl
import MRS
import ModeKit
import ModeTestKit
import TelemetryMode
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

@MainActor
@Suite("Telemetry")
struct TelemetryModeTests {
    let stage = FakeStage()
    let timeSource = FakeTimeSource()
    let watch = FakeTopicWatch()
    let desk = TelemetryStore()
    let view = FakeTelemetryView()

    func build(_ fleet: Fleet) -> (ModeInstance, TelemetryPresenter) {
        var taken: TelemetryPresenter?
        let builder = TelemetryBuilder(
            .init(fleet: fleet, timeSource: timeSource, desk: desk, topicWatch: { [watch] _ in watch }))
        let instance = builder.build(on: stage) { presenter in
            taken = presenter
            view.presenter = presenter
            return view
        }
        guard let taken else { preconditionFailure("the builder asks for a view") }
        return (instance, taken)
    }

    func telemetry(east: Double = 1, at: MonotonicTime? = nil) -> Telemetry {
        var telemetry = Telemetry(vehicle: "uav1")
        let at = at ?? timeSource.fake.now
        telemetry.pose = Sample(
            Pose(frame: FrameName("uav1/gps_origin"), positionMetres: Vector3(x: east, y: 2, z: 3), headingRadians: 0),
            at: at)
        return telemetry
    }

    private func line(_ label: String) -> TelemetryLine? {
        (view.shown.motion + view.shown.vehicleLines).first { $0.label == label }
    }

    @Test("what is unknown is a dash, never a zero")
    func unknown() {
        let (instance, _) = build(.withFake(FakeLink(), timeSource: timeSource))
        #expect(view.shown.motion.allSatisfy { $0.value == "-" && $0.mark == .unknown })
        #expect(view.shown.vehicleLines.allSatisfy { $0.value == "-" })
        #expect(view.shown.sparklines.allSatisfy { $0.newest == "-" })
        #expect(view.shown.trail.places.isEmpty)
        instance.detach()
    }

    @Test("what a vehicle does not report is left out, and named")
    func unreported() {
        let link = FakeLink()
        link.vehicleCapabilities = ToyVehicle.capabilities
        let (instance, presenter) = build(.withFake(link, timeSource: timeSource))
        presenter.look()
        presenter.look()
        #expect(view.shown.panels == [.motion, .vehicle, .sparklines, .topics])
        #expect(view.shown.motion.map(\.label) == ["Velocity", "Speed"])
        #expect(view.shown.vehicleLines.map(\.label) == ["State", "Battery", "Not sent", "", "", ""])
        #expect(
            view.shown.vehicleLines.dropFirst(2).map(\.value) == [
                "position, height,", "satellite navigation, tracker,", "estimator, range finder,",
                "topic rates, messages",
            ])
        #expect(view.shown.sparklines.map(\.label) == ["Speed", "Battery", "RTT", "Age"])
        // Tab goes past what is not there.
        var seen: [TelemetryPanel] = []
        for _ in 0..<4 {
            presenter.handle(.focus(1))
            seen.append(view.shown.focus)
        }
        #expect(seen == [.vehicle, .sparklines, .topics, .motion])
        instance.detach()
    }

    @Test("a position is shown at the next look, and its age when no more come")
    func ages() async {
        let link = FakeLink()
        let (instance, _) = build(.withFake(link, timeSource: timeSource))
        link.publish(telemetry(east: 7))
        await timeSource.beat(.milliseconds(50))
        await timeSource.beat(.milliseconds(50))
        #expect(line("Position")?.value == "E 7.00 N 2.00 U 3.00 m")
        #expect(line("Position")?.note == "")
        #expect(line("Heading")?.value == "0.0° ENU, east")
        for _ in 0..<16 { await timeSource.beat(.milliseconds(50)) }
        #expect(line("Position")?.note == "0.9 s old")
        #expect(line("Position")?.mark == .warning)
        for _ in 0..<40 { await timeSource.beat(.milliseconds(50)) }
        #expect(line("Position")?.mark == .danger)
        #expect(line("Velocity")?.value == "-")
        instance.detach()
    }

    @Test("Tab goes round the panels, Enter enlarges; a hidden panel is not put into words")
    func panels() async {
        let link = FakeLink()
        let (instance, presenter) = build(.withFake(link, timeSource: timeSource))
        presenter.handle(.focus(-1))
        #expect(view.shown.focus == .topics)
        presenter.handle(.focus(1))
        #expect(view.shown.focus == .motion)
        presenter.handle(.focus(1))
        presenter.handle(.enlarge)
        #expect(view.shown.isEnlarged)
        link.publish(telemetry(east: 9))
        await timeSource.beat(.milliseconds(50))
        await timeSource.beat(.milliseconds(50))
        #expect(line("Position")?.value == "-")
        presenter.handle(.shrink)
        #expect(line("Position")?.value == "E 9.00 N 2.00 U 3.00 m")
        instance.detach()
    }

    @Test("a panel that is chosen begins at its first line")
    func chosenPanel() {
        let (instance, presenter) = build(.withFake(FakeLink(), timeSource: timeSource))
        presenter.handle(.focusPanel(.messages))
        #expect(view.shown.focus == .messages && view.shown.scroll == 0)
        instance.detach()
    }

    @Test("where a panel has the whole screen already, Enter enlarges nothing")
    func wholeScreen() {
        let (instance, presenter) = build(.withFake(FakeLink(), timeSource: timeSource))
        presenter.handle(.resize(rows: 11, columns: 60))
        presenter.handle(.enlarge)
        #expect(!view.shown.isEnlarged)
        presenter.handle(.resize(rows: 20, columns: 80))
        presenter.handle(.enlarge)
        #expect(view.shown.isEnlarged)
        // On a terminal that became smaller it is let go of anyway.
        presenter.handle(.resize(rows: 11, columns: 60))
        presenter.handle(.enlarge)
        #expect(!view.shown.isEnlarged)
        instance.detach()
    }

    @Test("messages scroll away from the newest, and no further than there are any")
    func scrolling() async {
        let link = FakeLink()
        let (instance, presenter) = build(.withFake(link, timeSource: timeSource))
        var known = telemetry()
        for number in 0..<9 {
            known.append(
                Sample(VehicleMessage(severity: .warning, text: "m\(number)\u{1B}[2J"), at: timeSource.fake.now))
        }
        link.publish(known)
        await timeSource.beat(.milliseconds(100))
        // A small screen shows the focused panel only: five lines and a frame.
        presenter.handle(.resize(rows: 7, columns: 60))
        for _ in 0..<4 { presenter.handle(.focus(1)) }
        #expect(view.shown.focus == .messages)
        #expect(view.shown.messages.map(\.value) == (0..<9).map { "m\($0)\u{241B}[2J" })
        #expect(view.shown.messages.allSatisfy { $0.label == "WARN" })
        presenter.handle(.scroll(1))
        #expect(view.shown.scroll == 0)
        presenter.handle(.scroll(-3))
        #expect(view.shown.scroll == 3)
        presenter.handle(.scroll(-30))
        #expect(view.shown.scroll == 4)
        presenter.handle(.resize(rows: 8, columns: 60))
        #expect(view.shown.scroll == 3)
        presenter.handle(.scrollToEnd(true))
        #expect(view.shown.scroll == 0)
        instance.detach()
    }

    @Test("another vehicle starts anew: no trail, no topic of the one before")
    func anotherVehicle() async {
        let link = FakeLink()
        let fleet = Fleet.withFake(link, timeSource: timeSource)
        let (instance, presenter) = build(fleet)
        link.publish(telemetry())
        await timeSource.beat(.milliseconds(50))
        presenter.handle(.addTopic("imu"))
        await settle()
        #expect(view.shown.topics.map(\.name) == ["/uav1/imu"])
        #expect(view.shown.trail.places.count == 1)
        fleet.add(profile: VehicleProfile(name: "second"), link: FakeLink())
        await timeSource.beat(.milliseconds(50))
        #expect(view.shown.topics.isEmpty)
        #expect(view.shown.trail.places.isEmpty)
        #expect(watch.isClosed)
        #expect(watch.ended == ["/uav1/imu"])
        instance.detach()
    }

    @Test("a topic is found by what was typed, added, shown as a tree with rate and age, and removed")
    func topics() async {
        watch.setPublished(
            .success([
                PublishedTopic(name: "/uav1/hw_api/imu", type: "sensor_msgs/Imu"),
                PublishedTopic(name: "/uav1/imu", type: "sensor_msgs/Imu"),
                PublishedTopic(name: "/tf", type: "tf2_msgs/TFMessage"),
            ]))
        let (instance, presenter) = build(.withFake(FakeLink(), timeSource: timeSource))
        presenter.handle(.openTopicPrompt)
        await settle()
        #expect(view.shown.prompt?.suggestions.count == 3)
        presenter.handle(.typed("imu"))
        #expect(view.shown.prompt?.suggestions == ["/uav1/hw_api/imu", "/uav1/imu"])
        presenter.handle(.addTopic("hw_api/imu"))
        #expect(view.shown.prompt == nil)
        #expect(view.shown.focus == .topics)
        await settle()
        #expect(watch.watched == ["/uav1/hw_api/imu"])
        #expect(view.shown.topics.first?.status == "waiting for the first message")
        let fields = [
            TopicField(path: "header.seq", value: "5"), TopicField(path: "header.frame_id", value: "a\u{1B}b"),
            TopicField(path: "ranges", value: "900 elements"), TopicField(path: "ranges[0].x", value: "1.5"),
        ]
        watch.send(
            .reading(TopicReading(type: "sensor_msgs/Imu", fields: fields, isShortened: true, hertz: 249)),
            to: "/uav1/hw_api/imu")
        await timeSource.beat(.milliseconds(50))
        await timeSource.beat(.milliseconds(50))
        let topic = view.shown.topics.first
        #expect(topic?.status == "sensor_msgs/Imu, 249 Hz, 0.1 s old")
        #expect(
            topic?.fields == [
                .init(depth: 0, name: "header", value: ""), .init(depth: 1, name: "seq", value: "5"),
                .init(depth: 1, name: "frame_id", value: "a\u{241B}b"),
                .init(depth: 0, name: "ranges", value: "900 elements"), .init(depth: 1, name: "[0]", value: ""),
                .init(depth: 2, name: "x", value: "1.5"), .init(depth: 0, name: "…", value: "truncated"),
            ])
        watch.send(.silent("not published", hertz: 0), to: "/uav1/hw_api/imu")
        await timeSource.beat(.milliseconds(50))
        await timeSource.beat(.milliseconds(50))
        #expect(view.shown.topics.first?.mark == .warning)
        presenter.handle(.addTopic("hw_api/imu"))
        #expect(stage.notices.last?.weight == .error)
        presenter.handle(.removeTopic)
        await settle()
        #expect(view.shown.topics.isEmpty)
        #expect(watch.ended == ["/uav1/hw_api/imu"])
        instance.detach()
    }

    @Test("no list of topics is no reason not to add one; a name that cannot be one is refused")
    func withoutList() async {
        watch.setPublished(.failure(LinkError(.rosMasterUnreachable, "no ROS master", hint: "start it")))
        let (instance, presenter) = build(.withFake(FakeLink(), timeSource: timeSource))
        presenter.handle(.openTopicPrompt)
        await settle()
        #expect(view.shown.prompt?.note == "no ROS master; start it")
        presenter.handle(.addTopic("a b"))
        #expect(view.shown.prompt?.problem.hasPrefix("'a b' is not a valid topic name") == true)
        presenter.handle(.addTopic("/tf"))
        #expect(view.shown.topics.map(\.name) == ["/tf"])
        await settle()
        watch.send(.failed(LinkError(.rosMasterUnreachable, "no ROS master")), to: "/tf")
        await timeSource.beat(.milliseconds(50))
        await timeSource.beat(.milliseconds(50))
        #expect(view.shown.topics.first?.status == "no ROS master")
        #expect(view.shown.topics.first?.mark == .danger)
        for number in 0..<TopicLimits.watched { presenter.handle(.addTopic("t\(number)")) }
        #expect(view.shown.topics.count == TopicLimits.watched)
        instance.detach()
    }

    @Test("a detached mode is let go of: its tasks end, its watch is closed")
    func release() async {
        weak var presenter: TelemetryPresenter?
        weak var itsView: FakeTelemetryView?
        let watch = watch
        do {
            let view = FakeTelemetryView()
            itsView = view
            let builder = TelemetryBuilder(
                .init(
                    fleet: .withFake(FakeLink(), timeSource: timeSource), timeSource: timeSource, desk: desk,
                    topicWatch: { _ in watch }))
            let instance = builder.build(on: stage) {
                presenter = $0
                view.presenter = $0
                return view
            }
            await timeSource.beat(.milliseconds(50))
            presenter?.handle(.addTopic("imu"))
            presenter?.handle(.openTopicPrompt)
            await settle()
            #expect(timeSource.pauses == 1)
            #expect(watch.watched == ["/uav1/imu"])
            instance.detach()
        }
        await settle()
        #expect(timeSource.pauses == 0)
        #expect(watch.ended == ["/uav1/imu"])
        #expect(watch.isClosed)
        #expect(presenter == nil)
        #expect(itsView == nil)
    }
}
