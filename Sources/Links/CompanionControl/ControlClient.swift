public import Secrets
public import UAVLink

/// Sends requests to a running companion on this machine.
public struct ControlClient: Sendable {
    private let path: String

    /// Creates a client of a control socket.
    public init(path: String) { self.path = path }

    /// Sends a request and returns the answer.
    ///
    /// Blocks for a few seconds at most: call it from a dedicated thread or a short-lived program.
    ///
    /// - Returns: `nil` if no companion listens there, or it has just ended.
    /// - Throws: ``LinkError`` with ``LinkError/Code/companionUnavailable`` if it does not answer, or answers with an error.
    public func ask(_ request: ControlRequest) throws(LinkError) -> SecretBytes? {
        guard let socket = try UnixSocket.connect(to: .path(path)) else { return nil }
        guard socket.writeLine(SecretBytes(request.rawValue)) else { return nil }
        let line: SecretBytes
        switch socket.readLine(limit: ControlLimits.answerBytes) {
        case .line(let text): line = text
        case .ended: return nil
        case .none:
            throw LinkError(
                .companionUnavailable, "the companion at \(path) does not answer",
                hint: "check its log, then restart it")
        }
        switch ControlAnswer(line: line) {
        case .ok(let answer): return answer
        case .error(let reason): throw LinkError(.companionUnavailable, "the companion refused the request: \(reason)")
        }
    }
}
