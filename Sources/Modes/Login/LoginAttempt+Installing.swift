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
    /// Opens the link. If the vehicle has no companion, or one that cannot be used with this program, the user may have it installed.
    func openOffering() async throws(LinkError) -> OpenedVehicle {
        let opened: OpenedVehicle
        do {
            opened = try await open()
        } catch {
            guard let reason = InstallReason(error), await wantsInstallation(reason) else { throw error }
            return try await installAndOpen()
        }
        guard let fallback = steps.fallback, fallback.lacksCompanion, await wantsInstallation(.fallback(fallback))
        else { return opened }
        await opened.close()
        return try await installAndOpen()
    }

    /// Whether the running companion has another version and the user wants this program's; not asked while the vehicle flies or is
    /// armed, when it would be refused.
    func wantsThisVersion(_ link: any UAVLink) async -> Bool {
        guard let warning = link.quality.versionWarning else { return false }
        if let flight = link.latestTelemetry?.flight?.value, flight.state.isAirborne || flight.isArmed { return false }
        return await wantsInstallation(.otherVersion(warning))
    }

    private func wantsInstallation(_ reason: InstallReason) async -> Bool {
        guard !request.profile.isLocal, let installer = parts.installer, await installer.canInstall() else {
            return false
        }
        return await agrees(to: .install(reason))
    }

    /// Installs the companion and opens the link as at first.
    func installAndOpen() async throws(LinkError) -> OpenedVehicle {
        try await install()
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
            try await installer.install(for: request, userPrompt: LoginUser(attempt: self), within: parts.timeout) {
                feed.yield($0)
            }
        } catch {
            failure = error
        }
        feed.finish()
        await reader.value
        if let failure { throw failure }
    }
}
