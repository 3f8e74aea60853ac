#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import SystemKit
internal import Threads
package import UAVLink

/// Reads the world file of a vehicle on this computer.
package enum WorldFileAccess {
    /// Reads a file on a dedicated thread.
    ///
    /// - Parameters:
    ///   - path: as the vehicle names it: any text.
    ///   - timeout: a file on a disk of the network may take any time; its thread ends when it is read.
    package static func read(_ path: String, within timeout: Duration) async -> VehicleWorld {
        guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
            return VehicleWorld(path: path, .failed, details: "it is not an absolute path")
        }
        guard path.utf8.count <= VehicleWorld.longestPath else {
            return VehicleWorld(path: path, .failed, details: "its path has \(path.utf8.count) bytes")
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: VehicleWorld.self, bufferingPolicy: .bufferingOldest(1))
        let hasStarted = DedicatedThread.startWork {
            continuation.yield(contents(of: path))
            continuation.finish()
        }
        guard hasStarted else { return VehicleWorld(path: path, .failed, details: "cannot create a thread") }
        let read = await stream.first(within: timeout)
        return read ?? VehicleWorld(path: path, .failed, details: "it was not read in time")
    }

    /// Blocks.
    private static func contents(of path: String) -> VehicleWorld {
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.readRegular(path, limit: VehicleWorld.mostBytes)
        } catch {
            switch error {
            case .tooLarge: return VehicleWorld(path: path, .tooLarge)
            case .notRegular: return VehicleWorld(path: path, .notAFile)
            case .system(let code):
                return switch code {
                case ENOENT, ENOTDIR: VehicleWorld(path: path, .missing)
                case EACCES, EPERM: VehicleWorld(path: path, .permissionDenied)
                default: VehicleWorld(path: path, .failed, details: error.description)
                }
            }
        }
        guard VehicleWorld.isWorld(bytes) else { return VehicleWorld(path: path, .notAWorld) }
        return VehicleWorld(path: path, .document(.file, bytes))
    }
}
