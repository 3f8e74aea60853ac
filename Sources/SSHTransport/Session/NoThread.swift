internal import UAVLink

extension LinkError {
    /// The system has no more threads to give.
    static let noThread = LinkError(.internalFault, "no thread for SSH to be had", hint: "raise 'ulimit -u'")
}
