internal import SystemIO
internal import UAVLink

extension Waker {
    /// - Throws: ``LinkError`` with `internalFault` if the system has no descriptor left.
    static func make() throws(LinkError) -> Waker {
        do throws(SocketError) { return try Waker() } catch {
            throw LinkError(.internalFault, error.what, hint: error.hint)
        }
    }
}
