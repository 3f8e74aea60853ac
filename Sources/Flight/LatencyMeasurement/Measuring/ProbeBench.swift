internal import UAVLink

/// The links that could be opened, and the errors of the others.
struct ProbeBench: Sendable {
    let probes: [any Probe]
    let failures: [(link: MeasuredLink, error: LinkError)]
    /// Whether no relays stand in front of the links.
    let isDirect: Bool
    let reference: ReferenceClock

    /// Opens links one after the other.
    ///
    /// - Parameter obstacle: why nobody can log in to the vehicle's computer; `nil` if that is not known.
    static func open(
        _ links: [MeasuredLink], _ setting: ProbeSetting, _ obstacle: LinkError?,
        _ progress: MeasuringInteractor.Progress
    ) async -> ProbeBench {
        var probes: [any Probe] = []
        var failures: [(link: MeasuredLink, error: LinkError)] = []
        for link in links {
            if Task.isCancelled { break }
            let probe: any Probe =
                switch link {
                case .ssh, .sshShell: ShellProbe(link, setting)
                case .sshTunnel, .tcp, .udp: ChannelProbe(link, setting)
                case .ros: ROSProbe(setting)
                }
            do throws(LinkError) {
                progress(.opening(link))
                // All others log in, for a ticket at least.
                if let obstacle, link != .ros { throw obstacle }
                try await probe.open()
                probes.append(probe)
            } catch {
                progress(.leftOut(link, reason: error.description))
                await probe.close()
                failures.append((link, error))
            }
        }
        return ProbeBench(
            probes: probes, failures: failures, isDirect: setting.isDirect, reference: setting.reference)
    }

    func close() async {
        for probe in probes { await probe.close() }
    }
}
