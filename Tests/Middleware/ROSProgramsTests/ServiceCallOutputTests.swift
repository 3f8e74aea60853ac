import Testing

@testable import ROSPrograms

/// What `ros2 service call` prints, word for word as that of Jazzy does.
@Suite("the output of ros2 service call") struct ServiceCallOutputTests {
    private func parse(_ text: String) -> ServiceCallOutput? { ServiceCallOutput(Array(text.utf8)) }

    private static let asking = "requester: making request: std_srvs.srv.Trigger_Request()\n\n"

    @Test func `a response is read, whether or not the service was waited for`() {
        let answer = Self.asking + "response:\nstd_srvs.srv.Trigger_Response(success=True, message='ok')\n\n"
        let expected = ServiceCallOutput.answered(Array("{success: true, message: \"ok\"}".utf8))
        #expect(parse(answer) == expected)
        #expect(parse("waiting for service to become available...\n" + answer) == expected)
    }

    @Test func `without its line no request was sent`() {
        #expect(parse("waiting for service to become available...\n") == .waiting)
        #expect(parse(Self.asking) == .asked)
        #expect(parse("waiting for service to become available...\n" + Self.asking) == .asked)
        #expect(parse("") == nil)
        #expect(parse("success: True\nmessage: 'requester: making request'\n") == nil)
    }

    @Test func `a response that was cut off is none`() {
        let answer = "response:\nstd_srvs.srv.Trigger_Response(success=True, message='ok"
        #expect(parse(Self.asking + answer) == .asked)
        #expect(parse(Self.asking + "response:\n") == .asked)
    }

    @Test(arguments: [
        ("m.T()", "{}"), ("m.T(a=1, b=-2.5e-07)", "{a: 1, b: -2.5e-07}"), ("m.T(a=nan, b=-inf)", "{a: .nan, b: -.inf}"),
        ("m.T(a=None, b=False)", "{a: null, b: false}"),
        ("m.T(h=m.H(s=m.Time(sec=1, nanosec=2), f='x'), l=[])", "{h: {s: {sec: 1, nanosec: 2}, f: \"x\"}, l: []}"),
        ("m.T(a=[True, False], b=['p', 'q'])", "{a: [true, false], b: [\"p\", \"q\"]}"),
        ("m.T(a=array([1., 2.], dtype=float32))", "{a: [1., 2.]}"), ("m.T(a=array('d', [1.0]))", "{a: [1.0]}"),
    ])
    func `a message becomes YAML`(_ python: String, _ yaml: String) {
        #expect(PythonText.yaml(python.utf8).map { String(decoding: $0, as: UTF8.self) } == yaml)
    }

    @Test(arguments: [
        (#"m.T(a='it\'s')"#, #"{a: "it's"}"#), (#"m.T(a="it's")"#, #"{a: "it's"}"#), (#"m.T(a='"')"#, #"{a: "\""}"#),
        (#"m.T(a='\\ \n \x07 \u2028')"#, #"{a: "\\ \n \x07 \u2028"}"#), ("m.T(a='ü')", "{a: \"ü\"}"),
        ("m.T(a='x), b=(')", "{a: \"x), b=(\"}"),
    ])
    func `text keeps its meaning`(_ python: String, _ yaml: String) {
        #expect(PythonText.yaml(python.utf8).map { String(decoding: $0, as: UTF8.self) } == yaml)
    }

    @Test(arguments: [
        "", "m.T", "m.T(", "m.T(a)", "m.T(a=)", "m.T(a=1", "m.T(a=1))", "m.T(a=1 b=2)", "m.T(a='\\", "m.T(a=[1, ...])",
        "m.T(a=array([1., ..., 2.]))", "m.T(a=array)", "m.T(a=array())", "m.T(a=rm)", "-", "[1", "m.T(a=-)",
        String(repeating: "[", count: 100_000),
    ])
    func `anything else is none`(_ python: String) { #expect(PythonText.yaml(python.utf8) == nil) }
}
