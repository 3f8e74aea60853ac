internal import TextSearch
#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A library of the system that is loaded when it is first needed: linking it would slow down every start of every program.
///
/// It is never unloaded, so its functions stay valid.
package struct DynamicLibrary: Sendable {
    /// Why a library or one of its functions is not available.
    package struct Failure: Error, Hashable, CustomStringConvertible, Sendable {
        /// What is missing and how to install it, in one line without a full stop.
        package let description: String
    }

    /// Where to find a library.
    package struct Source: Sendable {
        /// The name that people know.
        package let name: String
        /// The package of Debian 12 that has it.
        package let debianPackage: String
        /// File names or paths to try, in this order.
        package let files: [String]
        /// The first version that has all functions in use; `nil` if every version has them.
        package let firstVersion: String?

        /// - Parameters:
        ///   - linux: the files on Linux: names with the version of the ABI (sonames) first.
        ///   - darwin: the files on macOS.
        package init(
            _ name: String, debianPackage: String, firstVersion: String? = nil, linux: [String], darwin: [String]
        ) {
            self.name = name
            self.debianPackage = debianPackage
            self.firstVersion = firstVersion
            #if canImport(Glibc)
                files = linux
            #else
                files = darwin
            #endif
        }
    }

    private let source: Source
    /// The system's handle, an address.
    private let handle: UInt

    /// Loads the first of the files that there is; may block on the disk.
    ///
    /// - Throws: ``Failure``, which names the Debian package.
    package init(_ source: Source) throws(Failure) {
        var damage: String?
        for file in source.files {
            if let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) {
                self.source = source
                self.handle = UInt(bitPattern: handle)
                return
            }
            let reason = dlerror().map { String(cString: $0) } ?? ""
            // A file that is there, and cannot be used: what is wrong with it is said by the system.
            if damage == nil, !Self.isAbsence(reason, of: file) { damage = reason }
        }
        let remedy = "install the Debian package '\(source.debianPackage)', or run scripts/setup --runtime"
        guard let damage else { throw Failure(description: "the library \(source.name) is not installed; \(remedy)") }
        throw Failure(description: "the library \(source.name) cannot be loaded (\(damage)); \(remedy)")
    }

    /// A function of the library.
    ///
    /// - Parameter type: its type, `@convention(c)`; the caller warrants that it is the function's.
    /// - Throws: ``Failure`` if the library does not have it.
    package func function<Function>(
        _ name: String, as type: Function.Type = Function.self
    ) throws(Failure) -> Function {
        guard let address = dlsym(UnsafeMutableRawPointer(bitPattern: handle), name),
            MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size
        else {
            let needed = source.firstVersion.map { "; version \($0) or newer is needed" } ?? ""
            throw Failure(description: "the library \(source.name) on this machine has no function '\(name)'\(needed)")
        }
        return unsafeBitCast(address, to: Function.self)
    }

    /// Whether the system's reason means that the file itself does not exist, and not one that it depends on.
    static func isAbsence(_ reason: String, of file: String) -> Bool {
        reason.includes(file) && reason.lowercased().includes("no such file")
    }
}
