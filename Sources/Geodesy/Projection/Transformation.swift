internal import CProj
internal import Synchronization

/// The one owner of a PROJ context and the transformation made in it.
///
/// A context must not be used by two threads at once: every use is under the lock.
final class Transformation: Sendable {
    private struct Handles: ~Copyable {
        let context: OpaquePointer
        let transformation: OpaquePointer

        deinit {
            proj_destroy(transformation)
            proj_context_destroy(context)
        }
    }

    private let handles: Mutex<Handles>

    /// Sets up a transformation from its PROJ text; nothing here needs PROJ's database or the network.
    init(_ definition: String) throws(GeodesyError) {
        guard let context = proj_context_create() else {
            throw GeodesyError(.projection, "PROJ has no memory for a context")
        }
        proj_log_level(context, PJ_LOG_NONE)
        guard let transformation = proj_create(context, definition) else {
            let reason = proj_context_errno_string(context, proj_context_errno(context)).map { String(cString: $0) }
            proj_context_destroy(context)
            throw GeodesyError(.projection, "PROJ cannot set up '\(definition)': \(reason ?? "no reason given")")
        }
        handles = Mutex(Handles(context: context, transformation: transformation))
    }

    /// The three numbers at the other end.
    func forward(_ x: Double, _ y: Double, _ z: Double = 0) throws(GeodesyError) -> (Double, Double, Double) {
        try run(PJ_FWD, x, y, z)
    }

    /// The three numbers at the first end.
    func inverse(_ x: Double, _ y: Double, _ z: Double = 0) throws(GeodesyError) -> (Double, Double, Double) {
        try run(PJ_INV, x, y, z)
    }

    private func run(
        _ direction: PJ_DIRECTION, _ x: Double, _ y: Double, _ z: Double
    ) throws(GeodesyError) -> (Double, Double, Double) {
        guard x.isFinite, y.isFinite, z.isFinite else {
            throw GeodesyError(.outOfRange, "\(x), \(y), \(z) are not finite numbers")
        }
        let result = handles.withLock { handles in
            proj_errno_reset(handles.transformation)
            let there = proj_trans(handles.transformation, direction, proj_coord(x, y, z, 0))
            return (there.xyz.x, there.xyz.y, there.xyz.z)
        }
        guard result.0.isFinite, result.1.isFinite, result.2.isFinite else {
            throw GeodesyError(.outOfRange, "\(x), \(y) lies outside of what the projection can show")
        }
        return result
    }
}
