internal import UAVLink

/// The links that could be opened, and the errors of the others.
struct ProbeBench: Sendable {
    let probes: [any Probe]
    let failures: [(link: MeasuredLink, error: LinkError)]
    /// How the condition that they were opened for is made.
    let emulation: Emulation
    let reference: ReferenceClock
    let lossObstacle: String?
    let costs: CostMeter
    private let takesPackets: Bool

    init(
        probes: [any Probe], failures: [(link: MeasuredLink, error: LinkError)], emulation: Emulation,
        reference: ReferenceClock, lossObstacle: String?, costs: CostMeter = CostMeter(clock: SystemMonotonicClock()),
        takesPackets: Bool = false
    ) {
        self.takesPackets = takesPackets
        (self.probes, self.failures, self.emulation) = (probes, failures, emulation)
        (self.reference, self.lossObstacle, self.costs) = (reference, lossObstacle, costs)
    }

    /// Opens links one after the other.
    ///
    /// - Parameters:
    ///   - obstacle: why nobody can log in to the vehicle's computer; `nil` if that is not known.
    ///   - lossObstacle: why nothing can be lost of a stream although the condition loses packets; `nil` if it can, or does not.
    static func open(
        _ links: [MeasuredLink], _ setting: ProbeSetting, _ obstacle: LinkError?, lossObstacle: String? = nil,
        _ progress: MeasuringInteractor.Progress
    ) async -> ProbeBench {
        var probes: [any Probe] = []
        var failures: [(link: MeasuredLink, error: LinkError)] = []
        let costs = CostMeter(clock: setting.clock)
        for link in links {
            if Task.isCancelled { break }
            let probe: any Probe =
                switch link {
                case .ssh, .sshShell: ShellProbe(link, setting)
                case .sshPersistent, .rosbridge: PeerProbe(link, setting)
                case .sshTunnel, .tcp, .udp: ChannelProbe(link, setting)
                case .ros: ROSProbe(setting)
                case .direct: DirectProbe(setting)
                }
            do throws(LinkError) {
                progress(.opening(link))
                if let refusal = Self.refusal(of: link, lossObstacle, ofAll: setting.takesPackets) { throw refusal }
                // All others log in, for a ticket at least.
                if let obstacle, ![.ros, .direct, .rosbridge].contains(link) { throw obstacle }
                await costs.willOpen()
                try await probe.open()
                await costs.didOpen(link)
                probes.append(probe)
            } catch {
                progress(.leftOut(link, reason: error.description))
                await probe.close()
                failures.append((link, error))
            }
        }
        return ProbeBench(
            probes: probes, failures: failures, emulation: setting.emulation, reference: setting.reference,
            lossObstacle: lossObstacle, costs: costs, takesPackets: setting.takesPackets)
    }

    /// Why a link is not measured where packets would have to be lost and cannot be; `nil` for one that relays can lose
    /// datagrams of.
    ///
    /// A relay could only delay what it does not lose of a stream, by a time that the kernel's TCP does not take.
    ///
    /// - Parameter ofAll: whether the condition takes packets of all links: what competes for a bottleneck is TCP.
    static func refusal(of link: MeasuredLink, _ lossObstacle: String?, ofAll: Bool = false) -> LinkError? {
        if link == .direct, ofAll {
            return LinkError(
                .unsupported, "not measured under load, which the relays in front of the machine cannot make",
                hint: "measure tcp and udp only, or give delay, jitter, loss and rate")
        }
        guard let lossObstacle else { return nil }
        if ofAll {
            return LinkError(.unsupported, "not measured under load, which relays cannot make: \(lossObstacle)")
        }
        guard link != .udp, link != .direct else { return nil }
        return LinkError(
            .unsupported, "not measured under loss, which relays cannot make for TCP: \(lossObstacle)",
            hint: "or give delay, jitter and rate only")
    }

    /// Whether its links, which are open, can be measured under a condition that is made so.
    func serves(_ emulation: Emulation, _ lossObstacle: String?, takesPackets: Bool = false) -> Bool {
        // A connection of TCP remembers the losses and delays that it has met.
        self.emulation == emulation && emulation != .packets && self.lossObstacle == lossObstacle
            && self.takesPackets == takesPackets
    }

    func close() async {
        for probe in probes { await probe.close() }
    }
}
