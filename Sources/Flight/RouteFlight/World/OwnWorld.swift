package import Geodesy
package import UAVLink

/// What is known of a vehicle's own world.
package enum OwnWorld: Hashable, Sendable {
    /// It was not asked for, or there is no vehicle.
    case notAsked
    /// It is not known; the reason in one line that is safe to show.
    case unknown(String)
    /// It was read.
    case known(VehicleWorldFile)

    /// The world; `nil` while it is not known.
    package var file: VehicleWorldFile? { if case .known(let file) = self { file } else { nil } }

    /// Decodes what a vehicle says: foreign bytes, up to a megabyte, so not on the main actor.
    ///
    /// - Parameter before: the world whose fingerprint was given with the question.
    @concurrent
    package static func decoded(_ told: VehicleWorld, before: VehicleWorldFile?) async -> Self {
        switch told.content {
        case .document(let source, let bytes):
            let name = told.path.isEmpty ? "the vehicle's world" : told.path.sanitizedLine
            do throws(GeodesyError) {
                let world = try WorldFileReader.read(bytes, source: name)
                return .known(VehicleWorldFile(world, source: source, bytes: bytes, told: told))
            } catch {
                return .unknown("its world file is not understood: \(error.what)")
            }
        case .unchanged:
            guard var file = before else { return .unknown("the vehicle's answer is about another world") }
            (file.path, file.reason, file.outdated) = (told.path, told.reason, nil)
            return .known(file)
        case .unknown: return .unknown(told.reason ?? "the vehicle gives no reason")
        }
    }
}

/// A vehicle's own world, as read from the vehicle.
package struct VehicleWorldFile: Hashable, Sendable {
    /// Origin, safety area and obstacles.
    package var world: WorldFile
    /// What it was read from.
    package var source: VehicleWorld.Source
    /// The path of the file on the vehicle: untrusted text; empty without one.
    package var path: String
    /// The size of what was read, bytes.
    package var byteCount: Int
    /// For the next question.
    package var fingerprint: UInt64
    /// Why the file itself was not read; `nil` if it was.
    package var reason: String?
    /// That the last question for it failed, and how old it was then, in one line; `nil` if it was answered.
    package var outdated: String?

    /// What was read of it.
    package init(_ world: WorldFile, source: VehicleWorld.Source, bytes: [UInt8], told: VehicleWorld) {
        self.world = world
        self.source = source
        path = told.path
        byteCount = bytes.count
        fingerprint = VehicleWorld.fingerprint(of: source, bytes)
        reason = told.reason
    }

    /// Whether it has all that the vehicle keeps to: markers show no obstacles.
    package var isComplete: Bool { source != .markers }

    /// Why it must not be used as a world file, in one line; `nil` if it may: nothing in such a file would say what is missing, so that
    /// checks would pass through the obstacles.
    package var savingObstacle: String? {
        isComplete
            ? nil : "only the border of its safety area is known, not its obstacles" + (reason.map { "; \($0)" } ?? "")
    }

    /// What is missing in it, in one line; `nil` if nothing is.
    package var limitation: String? {
        guard !isComplete else { return nil }
        let why = reason.map { "; \($0)" } ?? ""
        return "the vehicle shows the border of its safety area, not its obstacles, which were not checked\(why)"
    }
}
