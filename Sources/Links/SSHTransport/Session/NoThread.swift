internal import UAVLink

extension LinkError {
    /// The system has no more threads to give.
    static let noThread = LinkError(.internalFault, "a thread for SSH could not be started", hint: "raise 'ulimit -u'")
}
