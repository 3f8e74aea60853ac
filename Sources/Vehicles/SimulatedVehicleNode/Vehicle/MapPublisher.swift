internal import MRSMessages
internal import PointCloud
internal import ROSMessages
internal import Simulation
internal import UAVLink

/// Publishes a map once, latched: later subscribers receive it, too.
struct MapPublisher: Sendable {
    private let publisher: VehiclePublisher<SensorMsgs.PointCloud2>

    init(_ cloud: PointCloud, middleware: any VehicleMiddleware, vehicle: String) throws(ROSError) {
        publisher = try middleware.publisher(
            of: "/\(vehicle)/\(SimulatedLink.mapTopic)", type: SensorMsgs.PointCloud2.self, keepsLast: true)
        publisher.publish(Self.message(cloud, frame: "\(vehicle)/world_origin", stamp: middleware.now))
    }

    /// Three numbers per point: in single precision, or in double if the cloud has its own origin.
    static func message(_ cloud: PointCloud, frame: String, stamp: ROSTime) -> SensorMsgs.PointCloud2 {
        let isDouble = cloud.origin != .zero
        let size = isDouble ? 8 : 4
        var message = SensorMsgs.PointCloud2()
        message.header = StdMsgs.Header(stamp: stamp, frameID: frame)
        message.height = 1
        message.width = UInt32(clamping: cloud.count)
        message.fields = ["x", "y", "z"].enumerated().map { place, name in
            SensorMsgs.PointField(
                name: name, offset: UInt32(place * size),
                datatype: isDouble ? SensorMsgs.PointField.float64 : SensorMsgs.PointField.float32, count: 1)
        }
        message.pointStep = UInt32(3 * size)
        message.rowStep = UInt32(clamping: cloud.count * 3 * size)
        message.isDense = true
        message.data.reserveCapacity(cloud.count * 3 * size)
        for index in 0..<cloud.count {
            if isDouble {
                let point = cloud.point(index)
                for number in [point.x, point.y, point.z] { append(number.bitPattern, to: &message.data) }
            } else {
                let point = cloud.offsets[index]
                for number in [point.x, point.y, point.z] { append(number.bitPattern, to: &message.data) }
            }
        }
        return message
    }

    private static func append(_ bits: some FixedWidthInteger, to data: inout [UInt8]) {
        withUnsafeBytes(of: bits.littleEndian) { data.append(contentsOf: $0) }
    }
}
