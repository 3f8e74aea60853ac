import ROSDefinitions
import Testing
import UAVLink

@testable import MRS

@Suite struct TopicLineTests {
    private let reading = TopicReading(
        type: "sensor_msgs/Imu",
        fields: [
            TopicField(path: "header.frame_id", value: "a\u{1B}[2J\"\\\n\u{9B}ü"),
            TopicField(path: "ranges", value: "900 elements"), TopicField(path: "ranges[0]", value: "-1.5e-05"),
            TopicField(path: "ok", value: "true"), TopicField(path: "empty", value: ""),
        ], isShortened: true, hertz: 10.25)

    @Test func `what is said is what is read`() {
        for update: TopicUpdate in [
            .reading(reading), .silent("no node publishes it", hertz: 0), .silent("why: \"x\"", hertz: nil),
            .failed(LinkError(.rosMasterUnreachable, "no ROS master", hint: "start it")),
        ] {
            let line = TopicLine.text(update, of: "/uav1/imu")
            #expect(!line.contains("\n") && !line.contains("\u{1B}"))
            #expect(TopicLine.update(in: line) == update, "\(line)")
        }
        let topic = PublishedTopic(name: "/tf", type: "tf2_msgs/TFMessage")
        #expect(TopicLine.published(in: TopicLine.text(topic)) == topic)
    }

    @Test(arguments: [
        "", "Welcome to uav1!", "{", "{}", "[1]", #"{"type": "a/B"}"#, #"{"type": "a/B", "fields": 3}"#,
        #"{"type": 3, "fields": {}}"#, #"{"silent": 3}"#, #"{"fields": {"a": "b"}}"#, #"{"type": "a/B", "fields": {"#,
    ]) func `any other line is none`(_ line: String) {
        #expect(TopicLine.update(in: line) == nil)
        #expect(TopicLine.published(in: line) == nil)
    }

    @Test func `a line is bounded, whatever the message`() throws {
        var large = reading
        large.fields = (0..<5000).map {
            TopicField(
                path: String(repeating: "\u{1}", count: 200) + "\($0)", value: String(repeating: "\u{2}", count: 500))
        }
        let line = TopicLine.text(.reading(large), of: "/x")
        #expect(line.utf8.count <= TopicLimits.lineBytes)
        #expect(line.contains(#""shortened": true"#))
        let tooLong = #"{"silent": ""# + String(repeating: "x", count: TopicLimits.lineBytes) + #""}"#
        #expect(TopicLine.update(in: tooLong) == nil)
    }

    @Test(arguments: [
        (0.0, "0"), (0.1, "0.1"), (Double(Float(0.1)), "0.1"), (-1234.56789, "-1234.568"), (1e300, "1e+300"),
        (100, "100"), (.nan, "nan"), (.infinity, "inf"), (2e-308, "2e-308"), (123_456_789, "123456789"),
        (5_249_482.654_321, "5249482.654"), (1_700_000_000.123_456, "1700000000.123"),
        (Double(Float(123_456.7)), "123456.7"),
        (Double(Float(8.0 / 3)), "2.666667"), (0.000_012_345_678_9, "1.234568e-05"), (1_234_567.000_01, "1234567"),
    ]) func `numbers have seven digits, and at least three decimals`(_ value: Double, _ text: String) {
        #expect(FieldText.real(value) == text)
    }

    @Test func `a latitude is shown to the centimetre`() {
        for path in ["latitude", "position.longitude", "home.lat", "lon"] {
            #expect(FieldText.words(.real(47.397_742_999_999), isDegrees: FieldText.isDegrees(path)) == "47.397743")
            #expect(FieldText.words(.real(-122.123_456_78), isDegrees: FieldText.isDegrees(path)) == "-122.1234568")
        }
        for path in ["altitude", "latency", "latitude.deviation", ""] { #expect(!FieldText.isDegrees(path)) }
        #expect(FieldText.words(.real(340.123_456_789), isDegrees: false) == "340.1235")
    }

    @Test func `names are completed below the vehicle's, and checked`() throws {
        #expect(try TopicName.complete("hw_api/imu", vehicle: "uav1") == "/uav1/hw_api/imu")
        #expect(try TopicName.complete("/tf", vehicle: "uav1") == "/tf")
        for bad in ["", "/", "a b", "a;rm", "-x", String(repeating: "x", count: 300)] {
            #expect(throws: LinkError.self) { try TopicName.complete(bad, vehicle: "uav1") }
        }
    }
}
