import JSON
import MRSMessages
import ROSBridge
import ROSMessages
import ReportKit
import Testing

@Suite struct BridgeProtocolTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func refusal(of message: String) -> ROSBridgeError? {
        do throws(ROSBridgeError) {
            _ = try BridgeMessage(Array(message.utf8))
            return nil
        } catch { return error }
    }

    @Test func `requests are what the protocol has`() {
        #expect(
            text(BridgeRequest.call("/uav1/a", id: 7, arguments: ["goal": 1.5]))
                == #"{"op": "call_service", "id": "7", "service": "/uav1/a", "args": {"goal": 1.5}}"#)
        #expect(
            text(BridgeRequest.advertise("/t", type: "p/N")) == #"{"op": "advertise", "topic": "/t", "type": "p/N"}"#)
        #expect(text(BridgeRequest.publish("/t", [])) == #"{"op": "publish", "topic": "/t", "msg": []}"#)
        #expect(
            text(BridgeRequest.subscribe(to: "/t", type: "p/N"))
                == #"{"op": "subscribe", "topic": "/t", "type": "p/N"}"#)
        #expect(text(BridgeRequest.unsubscribe(from: "/t")) == #"{"op": "unsubscribe", "topic": "/t"}"#)
    }

    @Test func `a setpoint has every field, and the time that means now to the vehicle`() throws {
        var message = MRSMsgs.VelocityReferenceStamped()
        message.header.frameID = "uav1/fcu"
        message.reference.velocity.x = 0.25
        message.reference.heading = .nan
        message.reference.useHeadingRate = true
        let json = try BridgeEncoder(MRSMsgs.VelocityReferenceStamped.self).json(message).text
        // A header without a stamp would be given the server's time.
        #expect(
            json.hasPrefix(#"{"header": {"seq": 0, "stamp": {"secs": 0, "nsecs": 0}, "frame_id": "uav1/fcu"}"#),
            "\(json)")
        #expect(json.contains(#""velocity": {"x": 0.25, "y": 0, "z": 0}"#), "\(json)")
        #expect(json.contains(#""heading": null"#) && json.contains(#""use_heading_rate": true"#), "\(json)")
        #expect(try BridgeEncoder(StdSrvs.Trigger.Request.self).json(StdSrvs.Trigger.Request()).text == "{}")
    }

    @Test func `a message of another type is refused`() throws {
        let encoder = try BridgeEncoder(MRSMsgs.VelocityReferenceStamped.self)
        do throws(ROSBridgeError) {
            _ = try encoder.json(StdSrvs.Trigger.Request())
            Issue.record("it was written")
        } catch { #expect(error.code == .invalidValue) }
    }

    @Test(arguments: [#""id": "12", "#, #""id": 12, "#])
    func `an answer is known by its id, and a failure has its reason`(_ id: String) throws {
        let answer = #"{"op": "service_response", \#(id)"result": true, "values": {"success": false, "message": "no"}}"#
        guard case .response(12?, true, let values?) = try BridgeMessage(Array(answer.utf8)) else {
            Issue.record("no answer")
            return
        }
        #expect(values["success"]?.bool == false && values["message"]?.string == "no")
        let failure = #"{"op": "service_response", \#(id)"result": false, "values": "Service /x does not exist"}"#
        guard case .response(12?, false, let reason?) = try BridgeMessage(Array(failure.utf8)) else {
            Issue.record("no failure")
            return
        }
        #expect(reason.string == "Service /x does not exist")
    }

    @Test func `publications, reports and other operations`() throws {
        guard
            case .publication("/t", let message) = try BridgeMessage(
                Array(#"{"op":"publish","topic":"/t","msg":{"a":1}}"#.utf8))
        else {
            Issue.record("no publication")
            return
        }
        #expect(message["a"]?.number == 1)
        guard
            case .status("error", "bad") = try BridgeMessage(
                Array(#"{"op":"status","level":"error","msg":"bad"}"#.utf8)),
            case .other("fragment") = try BridgeMessage(Array(#"{"op":"fragment","num":0}"#.utf8)),
            case .response(nil, true, nil) = try BridgeMessage(Array(#"{"op":"service_response","id":1e99}"#.utf8))
        else {
            Issue.record("read as something else")
            return
        }
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"op": 1}"#, #"{"op": "publish"}"#, #"{"op": "publish", "topic": 1, "msg": 1}"#,
        #"{"op": "status""#, "\u{0}", #"{"op": "publish", "topic": "/t", "msg": NaN}"#,
        String(repeating: "[", count: 33),
    ])
    func `what is no message is refused in one line`(_ text: String) throws {
        let error = try #require(refusal(of: text))
        #expect(error.code == .protocolViolation && !error.description.contains { $0.isNewline })
    }
}
