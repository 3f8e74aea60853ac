#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
package import PointCloud
internal import SystemIO
internal import SystemKit
package import UAVLink

/// Opens, slices, writes and fetches maps, for screens and subcommands.
///
/// File access and computation run on dedicated threads and are cancelled with the calling task.
package struct MapInteractor: Sendable {
    /// Timeouts of requests to the vehicle.
    package struct Limits: Sendable {
        /// For the list of maps: over SSH, `rostopic` queries the whole ROS graph.
        package var offers: Duration = .seconds(15)
        /// For a map: 24 MB, the most that a link transfers, over a radio link of 1.5 Mbit/s.
        package var pull: Duration = .seconds(180)

        /// The limits for a real vehicle.
        package init() {}
    }

    private let limits: Limits

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Reads a file and prepares it.
    ///
    /// - Parameter onProgress: the fraction done, 0 to 1; called on any thread.
    /// - Throws: ``MapFailure``.
    package func open(
        _ path: String, _ options: IndoorMap.Options = .init(),
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MapFailure) -> IndoorMap {
        try await CloudComputation.run(onProgress: onProgress) { progress throws(MapFailure) in
            do throws(PointCloudError) {
                let reading = try CloudFile.read(path, progress: progress)
                return try IndoorMap(reading, source: path, options, progress)
            } catch { throw .cloud(error) }
        }
    }

    /// Prepares a map from the bytes of a file, such as one fetched from a vehicle.
    ///
    /// - Parameter source: the name used in errors and titles.
    /// - Throws: ``MapFailure``.
    package func open(
        _ bytes: [UInt8], source: String, _ options: IndoorMap.Options = .init(),
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MapFailure) -> IndoorMap {
        try await CloudComputation.run(onProgress: onProgress) { progress throws(MapFailure) in
            do throws(PointCloudError) {
                let reading = try CloudReader.read(bytes, source: source, progress: progress)
                return try IndoorMap(reading, source: source, options, progress)
            } catch { throw .cloud(error) }
        }
    }

    /// Prepares a map again, thinner or in other layers. Points removed by earlier thinning stay removed.
    ///
    /// - Throws: ``MapFailure``.
    package func prepare(
        _ map: IndoorMap, _ options: IndoorMap.Options, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MapFailure) -> IndoorMap {
        try await CloudComputation.run(onProgress: onProgress) { progress throws(MapFailure) in
            do throws(PointCloudError) { return try map.prepared(options, progress) } catch { throw .cloud(error) }
        }
    }

    /// Writes points as a PCD file; see ``write(_:to:replaces:)``.
    ///
    /// - Throws: ``MapFailure``.
    package func write(
        _ cloud: PointCloud, to path: String, _ encoding: PCDWriter.Encoding, replaces: Bool = false
    ) async throws(MapFailure) {
        try await CloudComputation.run(onProgress: { _ in }) { _ throws(MapFailure) in
            let bytes: [UInt8]
            do throws(PointCloudError) { bytes = try PCDWriter.bytes(of: cloud, encoding: encoding) } catch {
                throw .cloud(error)
            }
            try Self.writeFile(bytes, to: path, replaces: replaces)
        }
    }

    /// Writes a file atomically: either all bytes are written, or nothing changes.
    ///
    /// - Parameter replaces: whether an existing file is replaced.
    /// - Throws: ``MapFailure``.
    package func write(_ bytes: [UInt8], to path: String, replaces: Bool = false) async throws(MapFailure) {
        try await CloudComputation.run(onProgress: { _ in }) { _ throws(MapFailure) in
            try Self.writeFile(bytes, to: path, replaces: replaces)
        }
    }

    /// Writes files that belong together: if one of them must not be replaced, none is written.
    ///
    /// - Parameter replaces: whether existing files are replaced.
    /// - Throws: ``MapFailure``.
    package func write(
        _ files: [(path: String, bytes: [UInt8])], replaces: Bool = false
    ) async throws(MapFailure) {
        try await CloudComputation.run(onProgress: { _ in }) { _ throws(MapFailure) in
            if !replaces, let there = files.first(where: { access($0.path, F_OK) == 0 }) {
                throw .isThere("\(there.path.sanitizedLine) already exists; nothing was written")
            }
            for file in files { try Self.writeFile(file.bytes, to: file.path, replaces: replaces) }
        }
    }

    private static func writeFile(_ bytes: [UInt8], to path: String, replaces: Bool) throws(MapFailure) {
        let name = path.sanitizedLine
        switch bytes.withUnsafeBytes({ AtomicFile.write($0, to: path, replaces: replaces) }) {
        case nil: return
        case EEXIST: throw .isThere("\(name) already exists; nothing was written")
        case let code?:
            let line = "\(name) cannot be written (\(SystemError.text(code)))"
            throw AtomicFile.isUnwritten(code) ? MapFailure.unwritten(line) : .file(line)
        }
    }

    // MARK: From the vehicle

    /// The maps that the vehicle offers, the largest first.
    ///
    /// - Throws: ``MapFailure``.
    package func offers(over link: any UAVLink) async throws(MapFailure) -> [AvailableMap] {
        let survey = try survey(link)
        do throws(LinkError) {
            return try await survey.maps(within: limits.offers)
                .sorted { ($0.points ?? 0, $1.topic) > ($1.points ?? 0, $0.topic) }
        } catch { throw .link(error) }
    }

    /// Selects one of the offers.
    ///
    /// - Parameter topic: the topic, or `nil` for the only offer.
    /// - Throws: ``MapFailure/noMap(_:)``, which lists the topics on offer.
    package func choose(_ topic: String?, from offers: [AvailableMap]) throws(MapFailure) -> AvailableMap {
        guard !offers.isEmpty else { throw .noMap("the vehicle offers no map: no point cloud topic is published") }
        let names = offers.map(\.topic).joined(separator: ", ").sanitizedLine
        guard let topic else {
            guard offers.count == 1 else { throw .noMap("the vehicle offers several maps: \(names); choose one") }
            return offers[0]
        }
        guard let offer = offers.first(where: { $0.topic == topic }) else {
            throw .noMap("the vehicle does not offer '\(topic.sanitizedLine)'; it offers \(names)")
        }
        return offer
    }

    /// Fetches a map as the bytes of a PCD file.
    ///
    /// - Parameter onProgress: the fraction received, 0 to 1; called on any thread.
    /// - Throws: ``MapFailure``.
    package func pull(
        _ request: MapRequest, over link: any UAVLink, onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws(MapFailure) -> [UInt8] {
        let survey = try survey(link)
        do throws(LinkError) {
            return try await survey.pullMap(request, within: limits.pull, progress: onProgress)
        } catch { throw .link(error) }
    }

    private func survey(_ link: any UAVLink) throws(MapFailure) -> any SurveyLink {
        guard let survey = link.capabilities.survey else {
            throw .link(LinkError(.unsupported, "this link cannot transfer maps"))
        }
        if let lack = link.vehicleCapabilities.lack(of: VehicleRequirement(survey: .maps)) {
            throw .link(LinkError(.unsupported, lack))
        }
        return survey
    }
}
