import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A companion without any shared library, as it is deployed to vehicles.
public enum StaticCompanion {
    /// The program's path, or why it could not be linked.
    public static let program: Result<String, ProcessFailure> = {
        if let given = ProcessInfo.processInfo.environment["UAVLINK_TEST_COMPANION"] { return .success(given) }
        if let packaged { return .success(packaged) }
        return linked()
    }()

    /// That of `scripts/package`, unless the sources were changed since.
    private static let packaged: String? = {
        var system = utsname()
        guard uname(&system) == 0 else { return nil }
        let machine = withUnsafeBytes(of: &system.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let repository = BuiltPrograms.repository
        let path = "\(repository)/.build/package/\(machine)/uavlink-companion"
        guard let made = modified(path) else { return nil }
        let sources = (try? FileManager.default.subpathsOfDirectory(atPath: repository + "/Sources")) ?? []
        let isFresh = (["Package.swift"] + sources.map { "Sources/\($0)" })
            .allSatisfy { modified("\(repository)/\($0)").map { $0 <= made } ?? true }
        return isFresh ? path : nil
    }()

    private static func modified(_ path: String) -> Date? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }

    /// The objects of the companion beside these tests, linked once more, without shared libraries; it takes a second.
    private static func linked() -> Result<String, ProcessFailure> {
        guard let folder = BuiltPrograms.folder else { return .failure(ProcessFailure("the programs are not built")) }
        let objects = folder + "/uavlink-companion.product/Objects.LinkFileList"
        guard access(objects, R_OK) == 0 else { return .failure(ProcessFailure("\(objects) is missing")) }
        // Under the name that a deployed one has: its process is looked for by it.
        let own = folder + "/static"
        mkdir(own, 0o755)
        let path = own + "/uavlink-companion"
        let new = "\(path).\(getpid())"
        let words = [
            "swiftc", "-static-executable", "@" + objects, "-o", new,
            // The package manager gives the entry point of each program a name of its own.
            "-Xlinker", "--defsym=main=uavlink_companion_main", "-Xlinker", "--gc-sections", "-Xlinker", "--strip-all",
        ]
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        guard system("timeout 300 \(line) >'\(new).log' 2>&1 </dev/null") == 0, rename(new, path) == 0 else {
            let log = (try? String(contentsOfFile: new + ".log", encoding: .utf8)) ?? ""
            unlink(new + ".log")
            unlink(new)
            let reason = log.split(separator: "\n").last { $0.contains("error") } ?? "no reason given"
            return .failure(ProcessFailure("the companion cannot be linked statically: \(reason)"))
        }
        unlink(new + ".log")
        return .success(path)
    }
}
