internal import UAVLink
internal import VehicleAccess

/// Why the user is asked whether to install the companion of this program.
enum InstallReason: Hashable, Sendable {
    /// The vehicle has none, and another link was opened.
    case fallback(LinkFallback)
    /// The vehicle has none, and without it there is no link.
    case missing(String)
    /// The one there uses another version of the channel.
    case incompatible(String)
    /// The one that runs has another version, and can be used.
    case otherVersion(String)

    /// The reason in the failure of a log-in; `nil` if an installation does not help.
    init?(_ error: LinkError) {
        switch error.code {
        case .companionMissing: self = .missing(error.what)
        case .versionMismatch: self = .incompatible(error.what)
        default: return nil
        }
    }
}

/// The offer to install the companion.
extension LoginAttempt {
    /// Opens the link. If there is none because the vehicle has no companion, or one that cannot be used with this program, the user
    /// may have it installed.
    func openOffering() async throws(LinkError) -> OpenedVehicle {
        do {
            return try await open()
        } catch {
            guard let reason = InstallReason(error), await wantsInstallation(reason) else { throw error }
            try await install()
            return try await openAgain()
        }
    }

    /// The vehicle with the companion of this program, if another link was opened for want of one, or the one there has another
    /// version, and the user wants it; else `nil`. Not asked while the vehicle flies or is armed, when it would be refused.
    ///
    /// To be called when telemetry has been waited for. The vehicle remains reachable whatever becomes of the installation.
    func withCompanion(_ opened: OpenedVehicle) async throws(LinkError) -> OpenedVehicle? {
        let reason: InstallReason
        if let fallback = steps.fallback, fallback.lacksCompanion {
            reason = .fallback(fallback)
        } else if let warning = opened.link.quality.versionWarning {
            reason = .otherVersion(warning)
        } else {
            return nil
        }
        guard !mayFly(opened.link), await wantsInstallation(reason) else { return nil }
        return try await replacing(opened, because: reason)
    }

    private func mayFly(_ link: any UAVLink) -> Bool {
        guard let telemetry = link.latestTelemetry else { return false }
        if telemetry.showsFlight(now: parts.timeSource.clock.now) == true { return true }
        guard let flight = telemetry.flight?.value else { return false }
        return flight.state.isAirborne || flight.isArmed
    }

    private func wantsInstallation(_ reason: InstallReason) async -> Bool {
        // The log-in uses a program that the profile names, not the one that would be installed.
        guard !request.profile.isLocal, request.profile.namedCompanion == nil, let installer = parts.installer,
            await installer.canInstall()
        else {
            return false
        }
        return await agrees(to: .install(reason))
    }

    /// Installs the companion and opens the link to it; if that fails, the vehicle as it was reached before, and a warning.
    private func replacing(
        _ opened: OpenedVehicle, because reason: InstallReason
    ) async throws(LinkError) -> OpenedVehicle {
        // An open link to the companion that is replaced would start it again.
        let keepsLink = if case .fallback = reason { true } else { false }
        if !keepsLink { await opened.close() }
        let before = steps
        var isInstalled = false
        let failure: LinkError
        do {
            try await install()
            isInstalled = true
            let new = try await openAgain()
            if keepsLink { await opened.close() }
            return new
        } catch {
            failure = error
        }
        let isUsable = keepsLink && opened.link.quality.isConnected
        if Task.isCancelled || !isUsable, keepsLink { await opened.close() }
        if Task.isCancelled { throw failure }
        let advice = failure.hint.isEmpty ? "" : "; \(failure.hint)"
        let what =
            isInstalled ? "the companion is installed, but the link to it failed" : "the companion was not installed"
        warnings.append("\(what): \(failure.what)\(advice)")
        guard isUsable else {
            do { return try await openAgain() } catch {
                throw LinkError(error.code, "\(error.what); before that, \(what): \(failure.what)", hint: error.hint)
            }
        }
        steps = before
        tell(.steps(steps))
        return opened
    }

    /// Opens the link as at first.
    private func openAgain() async throws(LinkError) -> OpenedVehicle {
        steps = LoginSteps()
        tell(.steps(steps))
        return try await open()
    }

    private func install() async throws(LinkError) {
        guard let installer = parts.installer else { return }
        let (progress, feed) = AsyncStream.makeStream(of: String.self)
        let reader = Task {
            for await words in progress {
                steps.installing(words)
                tell(.steps(steps))
            }
        }
        var failure: LinkError?
        do {
            warnings += try await installer.install(
                for: request, userPrompt: LoginUser(attempt: self), within: parts.timeout
            ) { feed.yield($0) }
        } catch {
            failure = error
        }
        feed.finish()
        await reader.value
        if let failure { throw failure }
    }
}
