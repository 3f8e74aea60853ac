internal import UAVLink

extension LinkError {
    /// The system could not start a thread.
    static let noThread = LinkError(.internalFault, "cannot start a thread for SSH", hint: "raise 'ulimit -u'")
}
