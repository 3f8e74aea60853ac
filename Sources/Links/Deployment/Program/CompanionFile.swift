internal import Digests
internal import SystemKit
internal import Threads
internal import UAVLink

/// A companion's program on this machine, as it is uploaded.
package struct CompanionFile: Hashable, Sendable {
    /// What a file is.
    enum Kind: Hashable, Sendable {
        /// A program for this architecture, as `uname -m` names it.
        case program(String)
        /// A script, for any.
        case script
        /// Something else.
        case other
    }

    /// How many hexadecimal digits of the checksum are part of the name on the vehicle.
    static let shortDigits = 12
    /// The largest file that is read, bytes: a static companion has less than 12 MB, a debug build of it 80.
    static let largestBytes = 512 << 20

    /// Its path.
    package let path: String
    /// Its contents.
    package let bytes: [UInt8]
    /// Its SHA-256 checksum in hexadecimal.
    package let checksum: String

    /// A file with these contents.
    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        checksum = Checksum.sha256(bytes)
    }

    /// Reads a file.
    ///
    /// - Throws: ``DeploymentFailure`` if it cannot be read, or is no program.
    static func read(_ path: String) async throws(DeploymentFailure) -> CompanionFile {
        let read = await DedicatedThread.run { () -> Result<CompanionFile, DeploymentFailure> in
            do throws(SmallFile.Failure) {
                return .success(CompanionFile(path: path, bytes: try SmallFile.read(path, limit: Self.largestBytes)))
            } catch {
                return .failure(
                    .link(
                        LinkError(
                            .invalidInput, "cannot read the companion's program \(path) (\(error))",
                            hint: "name another one with --program")))
            }
        }
        guard let read else {
            throw .link(LinkError(.internalFault, "cannot create a thread", hint: "raise 'ulimit -u'"))
        }
        return try read.get()
    }

    /// Refuses a file that cannot run on this architecture, or is not whole.
    func require(_ architecture: String) throws(DeploymentFailure) {
        switch Self.kind(of: bytes) {
        case .script: return
        case .program(architecture): try requireWhole()
        case .program(let other):
            throw .link(
                LinkError(
                    .invalidInput, "\(path) is built for \(other), the vehicle's computer is \(architecture)",
                    hint: "build it there, or with scripts/package on a machine of that architecture"))
        case .other:
            throw .link(
                LinkError(
                    .invalidInput, "\(path) is not a program for Linux",
                    hint: "name the file 'uavlink-companion' of scripts/package"))
        }
    }

    /// Refuses a file of which a part is missing, as of a download or a copy that was cut.
    private func requireWhole() throws(DeploymentFailure) {
        let what: String
        do throws(ELFFile.Fault) {
            return try ELFFile.check(bytes)
        } catch {
            switch error {
            case .header: what = "\(path) is damaged: its ELF header is not that of a program"
            case .kind: what = "\(path) is an ELF file, but not a program"
            case .truncated(let needed):
                what = "\(path) is not complete: it has \(bytes.count) bytes, and by its header at least \(needed)"
            }
        }
        throw .link(
            LinkError(
                .invalidInput, what, hint: "name the file 'uavlink-companion' of scripts/package, or copy it again"))
    }

    /// What a file is, by its first bytes: ELF (elf(5)) or a script.
    static func kind(of bytes: some RandomAccessCollection<UInt8>) -> Kind {
        let head = Array(bytes.prefix(20))
        if head.starts(with: Array("#!".utf8)) { return .script }
        guard head.count == 20, head.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { return .other }
        // The byte after class says which end of a number comes first.
        let machine = head[5] == 2 ? Int(head[18]) << 8 | Int(head[19]) : Int(head[19]) << 8 | Int(head[18])
        return .program(machines[machine] ?? "another architecture (ELF machine \(machine))")
    }

    /// Numbers of elf.h and names of `uname -m`.
    private static let machines = [3: "i686", 40: "armv7l", 62: "x86_64", 183: "aarch64", 243: "riscv64"]
}
