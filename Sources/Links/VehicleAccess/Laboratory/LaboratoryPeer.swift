package import MRS
package import UAVLink

/// A program beside the ROS master that the laboratory measures and nothing is flown over: it calls services and publishes setpoints
/// for messages that are numbered.
package protocol LaboratoryPeer: Sendable {
    /// The message that calls a service, to be sent at its instant.
    ///
    /// - Throws: ``LinkError`` with `invalidInput`.
    func call(_ call: ServiceCall, number: Int) throws(LinkError) -> [UInt8]
    /// The message that publishes a setpoint on the topic that the other links publish on.
    ///
    /// - Throws: ``LinkError`` with `invalidInput` as ``VelocitySetpoint/validate()``.
    func steer(_ setpoint: VelocitySetpoint, number: Int) throws(LinkError) -> [UInt8]
    /// Sends a message at once, from any thread; `false` if too much waits for the network already.
    ///
    /// - Throws: ``LinkError`` with the reason if nothing is taken any more.
    func send(_ message: [UInt8]) throws(LinkError) -> Bool
    /// The answers with these numbers, which are forgotten, once there are all of them, the peer has ended, or time is up.
    func takeAnswers(_ numbers: Range<Int>, within timeout: Duration) async -> [Int: LaboratoryAnswer]
    /// Why it answers no more; `nil` while it does.
    var failure: LinkError? { get }
    /// Ends it.
    func close() async
}

/// What a ``LaboratoryPeer`` answered.
package struct LaboratoryAnswer: Sendable {
    /// What it answered.
    package enum Content: Sendable {
        /// The bytes of a service's response; over rosbridge what each response of a command begins with, success and message.
        case response([UInt8])
        /// The `seq` of the message that a setpoint became.
        case published(UInt32)
        /// Neither, since this went wrong; from outside.
        case failure(String)
    }

    /// What it answered.
    package var content: Content
    /// When that had arrived.
    package var at: MonotonicTime
    /// How long it took inside, and the part of it in which the service was waited for, nanoseconds; `nil` where it does not tell.
    package var times: (inside: Int64, service: Int64)?
}

extension LaboratoryPeer {
    /// Sends a message and waits for its answer; `nil` if there is none.
    package func ask(_ message: [UInt8], _ number: Int, within timeout: Duration) async -> LaboratoryAnswer? {
        guard (try? send(message)) == true else { return nil }
        return await takeAnswers(number..<number + 1, within: timeout)[number]
    }
}
