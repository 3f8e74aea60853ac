internal import CProj
internal import Synchronization

/// Owns a PROJ context and a transformation created in it.
///
/// A context must not be used by two threads at once: every use is under the lock.
final class Transformation: Sendable {
    private struct Handles: ~Copyable {
        let proj: ProjLibrary
        let context: OpaquePointer
        let transformation: OpaquePointer

        deinit {
            _ = proj.destroy(transformation)
            _ = proj.contextDestroy(context)
        }
    }

    private let handles: Mutex<Handles>

    /// Creates a transformation from its PROJ definition; none used here needs PROJ's database or the network.
    init(_ definition: String) throws(GeodesyError) {
        let proj = try ProjLibrary.loaded.get()
        guard let context = proj.contextCreate() else {
            throw GeodesyError(.projection, "PROJ could not allocate a context")
        }
        _ = proj.logLevel(context, PJ_LOG_NONE)
        guard let transformation = proj.create(context, definition) else {
            let reason = proj.contextErrnoString(context, proj.contextErrno(context)).map { String(cString: $0) }
            _ = proj.contextDestroy(context)
            throw GeodesyError(.projection, "PROJ cannot create '\(definition)': \(reason ?? "no reason given")")
        }
        handles = Mutex(Handles(proj: proj, context: context, transformation: transformation))
    }

    /// Applies the transformation forward.
    func forward(_ x: Double, _ y: Double, _ z: Double = 0) throws(GeodesyError) -> (Double, Double, Double) {
        try run(PJ_FWD, x, y, z)
    }

    /// Applies the transformation in the inverse direction.
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
            _ = handles.proj.errnoReset(handles.transformation)
            let here = PJ_COORD(xyzt: PJ_XYZT(x: x, y: y, z: z, t: 0))
            let there = handles.proj.trans(handles.transformation, direction, here)
            return (there.xyz.x, there.xyz.y, there.xyz.z)
        }
        guard result.0.isFinite, result.1.isFinite, result.2.isFinite else {
            throw GeodesyError(.outOfRange, "\(x), \(y) is outside the range of the projection")
        }
        return result
    }
}
