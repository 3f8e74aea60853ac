extension LECentral {
    /// The kind of device that is meant.
    package struct Kind: Hashable, Sendable {
        /// What people call it: `Bluno`.
        package var name: String
        /// The UUID of the service that it advertises.
        package var service: String
        /// How its names begin, lower case: not each one advertises its service.
        package var names: [String]

        package init(name: String, service: String, names: [String]) {
            (self.name, self.service, self.names) = (name, service, names)
        }

        /// Whether a device is of the kind, as far as that is known before it is connected.
        package func includes(_ device: LEDevice) -> Bool {
            if device.services.contains(service) { return true }
            let name = device.name?.lowercased() ?? ""
            return names.contains { name.hasPrefix($0) }
        }
    }

    // MARK: What there is

    /// The devices that are heard now or connected, the strongest first.
    package var devices: [LEDevice] {
        guard let adapter else { return [] }
        return objects.devices(of: adapter).filter { $0.rssi != nil || $0.isConnected }
            .sorted { ($0.rssi ?? .min, $1.address) > ($1.rssi ?? .min, $0.address) }
    }

    /// How much of BlueZ's objects is kept: their number, and the bytes of their texts.
    package var kept: (objects: Int, bytes: Int) { objects.size }

    /// Whether a device is of the kind that is meant.
    package func isOfKind(_ device: LEDevice) -> Bool { kind.includes(device) }

    /// The address of the device that is meant; the name of its kind before it is known.
    package var address: String {
        if case .device(let address) = aim { return address.uppercased() }
        return devicePath.flatMap { objects.device($0)?.address } ?? "the \(kind.name)"
    }

    /// What is going on, for people.
    package var words: String {
        switch step {
        case .starting, .listing: "asking BlueZ"
        case .searching, .scanning: aim == .scan ? "scanning" : "searching for \(address)"
        case .stoppingScan, .connecting: "connecting to \(address)"
        case .resolving: "reading the services of \(address)"
        case .connected: "connected to \(address)"
        case .ended: "ended"
        case .failed(let failure): failure.what
        }
    }
}
