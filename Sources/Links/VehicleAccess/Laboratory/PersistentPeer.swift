package import MRS
package import SSHTransport
package import UAVLink

/// A ``PersistentProcess`` as the laboratory measures it.
package final class PersistentPeer: LaboratoryPeer {
    private let process: PersistentProcess
    private let calls: PersistentCalls
    /// From the request for the channel to the process ready to answer, nanoseconds.
    package var startNanoseconds: Int64 { process.startNanoseconds }

    private init(_ process: PersistentProcess, _ calls: PersistentCalls) {
        (self.process, self.calls) = (process, calls)
    }

    /// Starts the process, and has it find a subscriber of setpoints.
    ///
    /// - Parameter number: of the line that asks for that; the next one is the caller's.
    /// - Throws: ``LinkError`` of the channel; `remoteFailed` or `timedOut` if the process ends or does not answer, `notConnected` if
    ///   nobody subscribes.
    package static func open(
        in session: SSHSession, _ lines: ROSCommandLines, number: Int, clock: any MonotonicClock,
        within timeout: Duration
    ) async throws(LinkError) -> PersistentPeer {
        let process = try await PersistentProcess.start(in: session, lines, clock: clock, within: timeout)
        let calls = PersistentCalls(names: lines.names)
        let opened = await process.ask(calls.open(number: number), number, within: timeout)
        let error: LinkError
        switch opened?.answer.content {
        case .subscribers(let count) where count > 0: return PersistentPeer(process, calls)
        case .failure(let reason): error = LinkError(.remoteFailed, "rospy on the vehicle: \(reason)")
        case .subscribers: error = LinkError(.notConnected, "the vehicle does not subscribe to the topic of setpoints")
        default:
            error = process.failure ?? LinkError(.timedOut, "the rospy process on the vehicle does not answer")
        }
        process.close()
        throw error
    }

    package func call(_ call: ServiceCall, number: Int) -> [UInt8] { calls.call(call, number: number) }

    package func steer(_ setpoint: VelocitySetpoint, number: Int) throws(LinkError) -> [UInt8] {
        try calls.steer(setpoint, number: number)
    }

    package func send(_ message: [UInt8]) throws(LinkError) -> Bool { try process.send(message) }

    package func takeAnswers(
        _ numbers: Range<Int>, within timeout: Duration
    ) async -> [Int: LaboratoryAnswer] {
        await process.takeAnswers(numbers, within: timeout).compactMapValues { arrival in
            let answer = arrival.answer
            let content: LaboratoryAnswer.Content
            switch answer.content {
            case .response(let bytes): content = .response(bytes)
            case .published(let sequence): content = .published(sequence)
            case .failure(let reason): content = .failure(reason)
            case .subscribers, .processorTime: return nil
            }
            return LaboratoryAnswer(
                content: content, at: arrival.at,
                times: (inside: answer.insideNanoseconds, service: answer.serviceNanoseconds))
        }
    }

    /// The processor time of the process, nanoseconds; `nil` if it does not answer.
    package func processorTime(number: Int, within timeout: Duration) async -> Int64? {
        let arrival = await process.ask(calls.cost(number: number), number, within: timeout)
        guard case .processorTime(let nanoseconds)? = arrival?.answer.content else { return nil }
        return nanoseconds
    }

    package var failure: LinkError? { process.failure }

    package func close() async { process.close() }
}
