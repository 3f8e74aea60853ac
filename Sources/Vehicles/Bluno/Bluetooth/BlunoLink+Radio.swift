internal import Synchronization
package import UAVLink

extension BlunoLink: RobotRadio {
    /// Itself, if its board is reached by radio.
    package var radio: (any RobotRadio)? { scanner == nil ? nil : self }

    /// What is known of the radio.
    package var radioState: RobotRadioState {
        var known = scanner?.state ?? RobotRadioState()
        known.progress = core.state.withLock { state in
            guard !state.isOpen, case .opening(let words)? = state.stream?.progress else { return nil }
            return words
        }
        return known
    }

    /// Listens for boards.
    package func startScan() { scanner?.start() }
    /// Listens no longer.
    package func stopScan() { scanner?.stop() }

    /// Connects to that board, and leaves the one before.
    package func choose(_ address: String) throws(LinkError) {
        guard let other = core.state.withLock({ $0.transport.reaching(address) }) else {
            throw LinkError(.invalidInput, "'\(address)' is no address of a board", hint: "such as AA:BB:CC:DD:EE:FF")
        }
        // Connecting while scanning often fails.
        scanner?.stop()
        try core.start()
        try core.choose(other)
    }

    /// Leaves the board.
    package func leave() throws(LinkError) { try core.choose(nil) }
}
