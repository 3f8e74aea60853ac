import FlightControl
import MRS
import ModeKit
import ModeTestKit
import TelemetryMode
import Testing
import UAVLink
import UAVTestKit
import VehicleAccess

/// Topics that cannot come are refused where their name is entered.
extension TelemetryModeTests {
    private static let published = [
        PublishedTopic(name: "/uav1/imu", type: "sensor_msgs/Imu"),
        PublishedTopic(name: "/tf", type: "tf2_msgs/TFMessage"),
    ]

    private func prompted(_ answer: Result<[PublishedTopic], LinkError>) async -> (ModeInstance, TelemetryPresenter) {
        watch.setPublished(answer)
        let built = build(.withFake(FakeLink(), timeSource: timeSource))
        built.1.handle(.openTopicPrompt)
        await settle()
        return built
    }

    @Test func `a name that no topic has is refused in the prompt, which stays open for another one`() async {
        let (instance, presenter) = await prompted(.success(Self.published))
        presenter.handle(.typed("imo"))
        presenter.handle(.addTopic("imo"))
        #expect(
            view.shown.prompt?.problem
                == "no topic '/uav1/imo' is published; Tab completes the name of a published one")
        #expect(view.shown.topics.isEmpty && stage.notices.isEmpty)
        presenter.handle(.typed("im"))
        #expect(view.shown.prompt?.problem == "" && view.shown.prompt?.suggestions == ["/uav1/imu"])
        presenter.handle(.addTopic("imu"))
        #expect(view.shown.prompt == nil && view.shown.topics.map(\.name) == ["/uav1/imu"])
        instance.detach()
    }

    @Test func `a message type is not a topic, and its topics are named`() async {
        let (instance, presenter) = await prompted(.success(Self.published))
        presenter.handle(.addTopic("sensor_msgs/Imu"))
        #expect(
            view.shown.prompt?.problem
                == "'sensor_msgs/Imu' is a message type, not a topic; published as /uav1/imu")
        instance.detach()
    }

    @Test func `a link without topics refuses each of them, a list that did not come none`() async {
        let reason = LinkError(
            .unsupported, "the built-in simulated vehicle has no ROS topics", hint: "use 'uavlink-sim'")
        let (instance, presenter) = await prompted(.failure(reason))
        presenter.handle(.addTopic("imu"))
        #expect(
            view.shown.prompt?.problem == "the built-in simulated vehicle has no ROS topics; use 'uavlink-sim'"
                && view.shown.topics.isEmpty && watch.watched.isEmpty)
        presenter.handle(.cancelTopicPrompt)
        watch.setPublished(.failure(LinkError(.timedOut, "no answer")))
        presenter.handle(.openTopicPrompt)
        await settle()
        presenter.handle(.addTopic("imu"))
        #expect(view.shown.prompt == nil && view.shown.topics.count == 1)
        instance.detach()
    }

    @Test func `where there never are topics, none is asked for`() async {
        watch.setObstacle(LinkError(.unsupported, "the built-in simulated vehicle has no ROS topics"))
        let (instance, _) = await prompted(.success(Self.published))
        #expect(view.shown.prompt == nil && !view.shown.hasTopics)
        #expect(stage.notices.last?.text == "the built-in simulated vehicle has no ROS topics")
        instance.detach()
    }

    @Test func `a vehicle that its companion simulates has no topics, and no ROS master is asked for`() async {
        let link = FakeLink(kind: .udp)
        watch.setPublished(.failure(LinkError(.rosMasterUnreachable, "cannot reach it", hint: "is roscore running?")))
        let (instance, presenter) = build(.withFake(link, timeSource: timeSource))
        #expect(view.shown.hasTopics)
        // A companion says it after the welcome: the screen may be open already.
        link.vehicleCapabilities = .simulatedMRS
        presenter.look()
        #expect(!view.shown.hasTopics)
        presenter.handle(.openTopicPrompt)
        await settle()
        #expect(view.shown.prompt == nil)
        #expect(
            stage.notices.last?.text
                == "this vehicle is simulated by its companion, which has no ROS topics; "
                + "'uavlink-sim' simulates a vehicle on a ROS master")
        instance.detach()
    }

    @Test func `the watch of a simulated vehicle says so, inside this program or behind a companion`() {
        for (kind, words) in [(LinkKind.sim, "in this program"), (.tcp, "by its companion")] {
            let link = FakeLink(kind: kind)
            link.vehicleCapabilities = .simulatedMRS
            let vehicle = Fleet.withFake(link, timeSource: timeSource).selected
            #expect(vehicle?.topicWatch().obstacle?.what.contains(words) == true)
        }
        let real = Fleet.withFake(FakeLink(kind: .tcp), timeSource: timeSource).selected
        #expect(real?.topicObstacle == nil)
    }

    @Test func `a name that is entered before the list has come is judged when it comes`() async {
        watch.setPublished(.success(Self.published))
        let (instance, presenter) = build(.withFake(FakeLink(), timeSource: timeSource))
        presenter.handle(.openTopicPrompt)
        presenter.handle(.addTopic("imo"))
        #expect(view.shown.prompt?.note == "requesting the list of topics, to look for this one")
        #expect(view.shown.topics.isEmpty)
        await settle()
        #expect(view.shown.prompt?.problem.hasPrefix("no topic '/uav1/imo' is published") == true)
        presenter.handle(.cancelTopicPrompt)
        presenter.handle(.openTopicPrompt)
        presenter.handle(.addTopic("imu"))
        await settle()
        #expect(view.shown.prompt == nil && view.shown.topics.map(\.name) == ["/uav1/imu"])
        instance.detach()
    }

    @Test func `a list with as many topics as one can have refuses nothing, since it may lack some`() async {
        let many = (0..<TopicLimits.published).map { PublishedTopic(name: "/t\($0)", type: "std_msgs/Empty") }
        let (instance, presenter) = await prompted(.success(many))
        #expect(view.shown.prompt?.note == "only the first 4000 topics are listed")
        presenter.handle(.addTopic("imu"))
        #expect(view.shown.topics.map(\.name) == ["/uav1/imu"])
        instance.detach()
    }

    @Test func `the scroll of the topics counts the rows of a wrapped reason`() async {
        let (instance, presenter) = build(.withFake(FakeLink(), timeSource: timeSource))
        presenter.handle(.resize(rows: 5, columns: 40))
        presenter.handle(.addTopic("imu"))
        await settle()
        watch.send(.failed(LinkError(.remoteFailed, String(repeating: "reason ", count: 20))), to: "/uav1/imu")
        await timeSource.beat(.milliseconds(50))
        await timeSource.beat(.milliseconds(50))
        // 37 columns, of which the reason has 33: four words of it in each row, five rows; three rows are seen.
        presenter.handle(.scroll(99))
        #expect(view.shown.focus == .topics && view.shown.scroll == 3)
        instance.detach()
    }
}
