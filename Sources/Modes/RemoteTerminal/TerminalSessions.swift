package import FlightControl
internal import ModeKit

/// The shells of the vehicles: each stays open while other modes are, until its vehicle is logged out of.
@MainActor
package final class TerminalSessions {
    /// A shell, the simple form, and their log.
    struct Session {
        let shell: RemoteShellInteractor
        let simple: SimpleFormInteractor
        let recorder: SessionRecorder
        /// The work of both; cancelled when the session ends.
        let tasks: TaskBag
    }

    private var sessions: [Int: Session] = [:]
    /// The key of the shell on this machine, which is open while no vehicle is logged in.
    private static let local = 0

    /// No session yet.
    package init() {}

    isolated deinit { endAll() }

    /// The session of a vehicle; begun by `make` if there is none.
    func session(of vehicle: LoggedInVehicle?, make: () -> Session) -> Session {
        let key = vehicle?.id ?? Self.local
        if let known = sessions[key] { return known }
        let made = make()
        sessions[key] = made
        return made
    }

    /// Whether a vehicle has an open shell, or runs a command of the simple form: a log-out ends both.
    package func isInUse(by vehicle: LoggedInVehicle) -> Bool {
        guard let session = sessions[vehicle.id] else { return false }
        return session.shell.connection == .open || session.simple.isRunning
    }

    /// Ends the sessions of vehicles that are no longer logged in to.
    package func keep(only vehicles: [LoggedInVehicle]) {
        let kept = Set(vehicles.map(\.id)).union([Self.local])
        for (key, session) in sessions where !kept.contains(key) {
            session.tasks.cancelAll()
            sessions[key] = nil
        }
    }

    private func endAll() {
        for session in sessions.values { session.tasks.cancelAll() }
        sessions = [:]
    }
}
