internal import UAVLink

extension LinkError {
    /// The system cannot create a thread.
    static let noThread = LinkError(.internalFault, "cannot create a thread for SSH", hint: "raise 'ulimit -u'")
}
