package import MRSMessages
internal import PointCloud
internal import ROS1
package import ROSMessages
internal import Synchronization
internal import Threads
package import UAVLink

/// Receives maps from the ROS graph and downsamples them.
struct ROSMaps: Sendable {
    let node: ROSNode
    let clock: any MonotonicClock

    /// The published point cloud topics, sorted by name.
    func offers(within timeout: Duration) async throws(LinkError) -> [AvailableMap] {
        do throws(ROSError) {
            return try await node.master.publishedTopics(within: timeout)
                .filter { $0.value == SensorMsgs.PointCloud2.typeName }.keys.sorted()
                .filter { $0.utf8.count <= AvailableMap.longestTopic }
                .prefix(AvailableMap.maximumAvailableMaps).map { AvailableMap(topic: $0) }
        } catch {
            throw LinkError(error)
        }
    }

    /// Receives one message of the topic and returns it downsampled, as the bytes of a PCD file.
    ///
    /// Receiving the message is the first half of the progress, downsampling the second.
    func pull(
        _ request: MapRequest, within timeout: Duration, report: MonotonicProgress
    ) async throws(LinkError) -> [UInt8] {
        let deadline = clock.now + timeout
        let offers = try await offers(within: timeout)
        guard offers.contains(where: { $0.topic == request.topic }) else {
            let known = offers.map(\.topic.sanitizedLine).joined(separator: ", ")
            throw LinkError(
                .unsupported, "the vehicle offers no map '\(request.topic)'",
                hint: known.isEmpty ? "no sensor_msgs/PointCloud2 topic is published there" : "it offers \(known)")
        }
        let bytes = try await message(of: request.topic, within: deadline - clock.now)
        report.reach(0.5)
        return try await MapPreparation.prepare(request, until: deadline, clock: clock, report: report) {
            Result { () throws(ROSDecodingError) in try SensorMsgs.PointCloud2(serialised: bytes) }
        }
    }
}

/// Downsamples a cloud of the vehicle, whichever ROS it was received by.
package enum MapPreparation {
    /// Decodes and downsamples a message on a thread of low priority: the second half of the progress.
    ///
    /// - Throws: ``UAVLink/LinkError``: `cancelled`, `timedOut`, `remoteFailed` for a message that cannot be read.
    package static func prepare(
        _ request: MapRequest, until deadline: MonotonicTime, clock: any MonotonicClock, report: MonotonicProgress,
        decode: @escaping @Sendable () -> Result<SensorMsgs.PointCloud2, ROSDecodingError>
    ) async throws(LinkError) -> [UInt8] {
        let flag = Flag()
        let progress = CloudProgress { fraction in
            report.reach(0.5 + fraction / 2)
            return !flag.isRaised && clock.now < deadline
        }
        let result = await withTaskCancellationHandler {
            await DedicatedThread.runAtLowPriority { Self.prepare(request, progress, decode) }
        } onCancel: {
            flag.raise()
        }
        guard let result else {
            throw LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'")
        }
        do throws(PointCloudError) { return try result.get() } catch {
            if Task.isCancelled { throw LinkError(.cancelled, "the transfer of map '\(request.topic)' was cancelled") }
            if error.code == .cancelled {
                throw LinkError(.timedOut, "the map '\(request.topic)' could not be downsampled in time")
            }
            throw LinkError(.remoteFailed, "the map cannot be read: \(error.what)")
        }
    }

    /// Clouds with more points are rejected; a 64 MB message, the largest that a node accepts, has five million.
    private static let limits = CloudLimits(points: 8_000_000)

    private static func prepare(
        _ request: MapRequest, _ progress: CloudProgress,
        _ decode: () -> Result<SensorMsgs.PointCloud2, ROSDecodingError>
    ) -> Result<[UInt8], PointCloudError> {
        do throws(PointCloudError) {
            let cloud = try cloud(decode, topic: request.topic)
            return .success(try cloud.prepared(for: request, progress: progress))
        } catch { return .failure(error) }
    }

    private static func cloud(
        _ decode: () -> Result<SensorMsgs.PointCloud2, ROSDecodingError>, topic: String
    ) throws(PointCloudError) -> PointCloud {
        let message: SensorMsgs.PointCloud2
        do throws(ROSDecodingError) { message = try decode().get() } catch {
            throw PointCloudError(.format, "\(topic.sanitizedLine): \(error)")
        }
        let fields = message.fields.map {
            PointCloud2Layout.Field(name: $0.name, offset: $0.offset, datatype: $0.datatype, count: $0.count)
        }
        let layout = PointCloud2Layout(
            fields: fields, pointStep: message.pointStep, rowStep: message.rowStep, isBigEndian: message.isBigendian,
            width: message.width, height: message.height)
        return try PointCloud2Decoder.decode(
            layout, data: message.data, source: topic.sanitizedLine, limits: limits
        ).cloud
    }

}

extension ROSMaps {
    /// The bytes of the first message; decoded on another thread, since other messages are queued behind this one.
    private func message(of topic: String, within timeout: Duration) async throws(LinkError) -> [UInt8] {
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(1))
        let mismatch = Mutex<String?>(nil)
        let subscription: ROSSubscription
        do throws(ROSError) {
            subscription = try node.subscribeRaw(topic) { bytes, header in
                guard header.md5 == SensorMsgs.PointCloud2.md5 else {
                    mismatch.withLock { $0 = header.type }
                    continuation.finish()
                    return
                }
                continuation.yield(bytes)
                continuation.finish()
            }
        } catch {
            throw LinkError(error)
        }
        defer { subscription.cancel() }
        let bytes = await stream.first(within: timeout)
        if let bytes { return bytes }
        if Task.isCancelled { throw LinkError(.cancelled, "the transfer of map '\(topic)' was cancelled") }
        if let type = mismatch.withLock({ $0 }) {
            throw LinkError(
                .typeMismatch,
                "'\(topic)' has the type \(type.sanitizedLine), not this program's sensor_msgs/PointCloud2")
        }
        throw LinkError(
            .timedOut, "no message received on '\(topic)' in time",
            hint: "a mapping node that does not latch its map publishes it rarely: use a longer timeout")
    }
}

/// Set once, on cancellation.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .relaxed) }
    func raise() { value.store(true, ordering: .relaxed) }
}
