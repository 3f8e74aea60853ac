import Testing
import UAVLink

@testable import VehicleAccess

@Suite("A rosbridge server: its address, and what it says") struct ROSBridgeTests {
    @Test(arguments: [
        ("rosbridge://uav1", "uav1", UInt16(9090)), ("rosbridge://192.168.69.101:9091/", "192.168.69.101", 9091),
        ("rosbridge://my_uav-2.local:1", "my_uav-2.local", 1), ("rosbridge://a:65535", "a", 65535),
    ])
    func `an address has a host, and a port or the usual one`(_ text: String, _ host: String, _ port: UInt16) throws {
        let address = try #require(ROSBridgeAddress(text))
        #expect(address.host == host && address.port == port)
        #expect(address.place == "\(host):\(port)" && ROSBridgeAddress(address.text) == address)
    }

    @Test(arguments: [
        "", "uav1", "ws://uav1", "rosbridge://", "rosbridge://:9090", "rosbridge://uav1:", "rosbridge://uav1:0",
        "rosbridge://uav1:65536", "rosbridge://uav1:+1", "rosbridge://uav1:1:2", "rosbridge://me:word@uav1",
        "rosbridge://uav1/path", "rosbridge://-x", "rosbridge://.x", "rosbridge://a b", "rosbridge://a\r\nX: y",
        "rosbridge://[::1]:9090", "rosbridge://" + String(repeating: "a", count: 256),
    ])
    func `anything else is none`(_ text: String) { #expect(ROSBridgeAddress(text) == nil) }

    private let now = MonotonicTime(nanoseconds: 50_000_000_000)
    private let wall: Int64 = 1_700_000_000_500_000_000

    private func inbox(_ messages: String..., listens: Bool = true) -> ROSBridgeInbox {
        var inbox = ROSBridgeInbox(topic: "/uav1/state")
        inbox.isListening = listens
        for message in messages { inbox.take(Array(message.utf8), at: now, wall: wall) }
        return inbox
    }

    private func state(_ stamp: String, topic: String = "/uav1/state") -> String {
        #"{"op": "publish", "topic": "\#(topic)", "msg": {"header": {"stamp": \#(stamp)}}}"#
    }

    private func answer(_ values: String, _ result: Bool = true) -> String {
        #"{"op": "service_response", "id": "3", "values": \#(values), "result": \#(result)}"#
    }

    @Test func `an answer becomes the response of the service`() throws {
        let inbox = inbox(answer(#"{"success": true, "message": "ok"}"#))
        guard case .response(let bytes)? = inbox.answers[3]?.content else {
            Issue.record("\(inbox.answers)")
            return
        }
        // std_srvs/Trigger: a byte, a length and the text.
        #expect(bytes == [1, 2, 0, 0, 0, 0x6F, 0x6B])
        #expect(inbox.answers[3]?.at == now && inbox.answers[3]?.times == nil && inbox.failure == nil)
    }

    @Test func `a call that failed has its reason, in one line, and no answer without success and message counts`() {
        for (message, reason) in [
            (answer(#""Service /x\ndoes not exist""#, false), "Service /x"), (answer("7", false), "no reason"),
            (answer("{}"), "has no 'success'"), (answer(#"{"success": 1, "message": "ok"}"#), "has no 'success'"),
            (#"{"op": "service_response", "id": 3}"#, "has no 'success'"),
        ] {
            guard case .failure(let text)? = inbox(message).answers[3]?.content else {
                Issue.record("\(message)")
                continue
            }
            #expect(text.contains(reason) && !text.contains { $0.isNewline }, "\(text)")
        }
    }

    @Test func `telemetry is kept with its stamp on this machine's clock, while somebody listens`() throws {
        let stamp = #"{"secs": 1700000000, "nsecs": 400000000}"#
        let heard = try #require(inbox(state(stamp)).heard.first)
        #expect(heard.arrivedAt == now && heard.stampedAt == now - .milliseconds(100))
        #expect(inbox(state(stamp), listens: false).heard.isEmpty)
        #expect(inbox(state(stamp, topic: "/uav2/state")).heard.isEmpty)
    }

    @Test(arguments: [
        #"{"secs": 0, "nsecs": 0}"#, #"{"secs": 1699999989, "nsecs": 0}"#, #"{"secs": 1e300, "nsecs": 0}"#,
        #"{"secs": -1, "nsecs": 0}"#, #"{"secs": 1700000000}"#, #"{"secs": 1700000000.5, "nsecs": 0}"#, "null",
    ])
    func `a stamp that is none, or of another clock, is not taken`(_ stamp: String) {
        let heard = inbox(state(stamp)).heard
        #expect(heard.count == 1 && heard[0].stampedAt == nil)
    }

    @Test func `what is no message of rosbridge ends it with the first error, and reports are kept`() {
        let inbox = inbox(
            #"{"op": "status", "level": "error", "msg": "advertise: no"}"#, "hello", #"{"op": "publish"}"#)
        #expect(inbox.problem == "advertise: no")
        #expect(inbox.failure?.code == .protocolViolation && inbox.failure?.what.contains("'hello'") == true)
        #expect(self.inbox(#"{"op": "status", "level": "warning", "msg": "x"}"#).problem == nil)
    }

    @Test func `a server that sends without end is bounded`() {
        var inbox = ROSBridgeInbox(topic: "/t")
        inbox.isListening = true
        let message = Array(#"{"op":"publish","topic":"/t","msg":0}"#.utf8)
        for _ in 0...ROSBridgeInbox.mostHeard { inbox.take(message, at: now, wall: wall) }
        #expect(inbox.heard.count == ROSBridgeInbox.mostHeard)
        for id in 0...ROSBridgeInbox.mostAnswers {
            inbox.take(Array(#"{"op":"service_response","id":\#(id)}"#.utf8), at: now, wall: wall)
        }
        #expect(inbox.answers.count == ROSBridgeInbox.mostAnswers && inbox.failure?.code == .protocolViolation)
    }
}
