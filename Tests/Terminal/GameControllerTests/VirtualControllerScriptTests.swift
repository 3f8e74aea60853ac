import Testing

@testable import GameController

@Suite("Lines that move a virtual controller")
struct VirtualControllerScriptTests {
    private func events(_ text: String) -> [VirtualControllerScript.Event] {
        var script = VirtualControllerScript()
        return script.feed(text.utf8)
    }

    @Test("each line is understood, and a press is down and up")
    func lines() {
        let text = "axis lefty -0.5\nbutton a down\r\n\n  button Start press \ndetach\nattach\n"
        #expect(
            events(text) == [
                .axis(.leftY, -0.5), .button(.a, isDown: true), .button(.start, isDown: true),
                .button(.start, isDown: false), .detach, .attach,
            ])
    }

    @Test("any split of the bytes gives the same events")
    func splits() {
        let bytes = Array("axis rightx 1\nbutton b up\n".utf8)
        let whole = events(String(decoding: bytes, as: UTF8.self))
        for at in bytes.indices {
            var script = VirtualControllerScript()
            #expect(script.feed(bytes[..<at]) + script.feed(bytes[at...]) == whole)
        }
    }

    @Test(
        "what is not understood moves nothing and is reported",
        arguments: [
            "axis leftx", "axis leftz 0", "axis leftx 1.1", "axis leftx nan", "axis leftx inf", "button a",
            "button q down", "button a sideways", "attach now", "fly",
        ])
    func unknown(_ line: String) { #expect(events(line + "\n") == [.unknown(line)]) }

    @Test("a line may have 200 bytes and not one more, and the next is understood again")
    func bounds() {
        let longest = "attach" + String(repeating: " ", count: 194)
        #expect(events(longest + "\n") == [.attach])
        let tooLong = events(longest + " \ndetach\n")
        #expect(tooLong == [.unknown(longest), .detach])
    }

    @Test("a line without its end is not acted on")
    func unfinished() { #expect(events("detach") == []) }
}
