/// What `ros2 service call` has printed, as worded in Jazzy.
///
/// ```
///   waiting for service to become available...        only if it is not there yet
///   requester: making request: std_srvs.srv.Trigger_Request()
///
///   response:
///   std_srvs.srv.Trigger_Response(success=True, message='taking off')
/// ```
///
/// It prints each line before it does what the line says: without the second one nothing was sent.
public enum ServiceCallOutput: Hashable, Sendable {
    /// No request was sent: the service was not there.
    case waiting
    /// The request was sent, and no response came that can be read.
    case asked
    /// The response, as YAML.
    case answered([UInt8])

    /// Whether the request may have reached the service.
    var isSent: Bool { self != .waiting }

    /// The lines that tell it.
    private static let (waits, asks, answers) = ("waiting for service", "requester: making request", "response:")

    /// The lines by which a script sees that the request is not, or is, on its way, for `grep`.
    public static let (waitingPattern, askingPattern) = ("^\(waits)", "^\(asks)")

    /// Parses it; `nil` for the output of another program.
    public init?(_ output: [UInt8]) {
        let lines = output.split(separator: 0x0A)
        func index(of text: String) -> Int? { lines.firstIndex { $0.starts(with: text.utf8) } }
        guard let asked = index(of: Self.asks) else {
            guard index(of: Self.waits) != nil else { return nil }
            self = .waiting
            return
        }
        let rest = lines[lines.index(after: asked)...]
        guard let mark = rest.firstIndex(where: { $0.elementsEqual(Self.answers.utf8) }),
            let printed = rest[rest.index(after: mark)...].first, let yaml = PythonText.yaml(printed)
        else {
            self = .asked
            return
        }
        self = .answered(yaml)
    }
}
