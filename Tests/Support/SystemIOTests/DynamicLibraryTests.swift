import Testing

@testable import SystemIO

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct DynamicLibraryTests {
    private typealias Absolute = @Sendable @convention(c) (Int32) -> Int32

    /// The C library, which every process has.
    private static let c = DynamicLibrary.Source(
        "C", debianPackage: "libc6", firstVersion: "2.1", linux: ["libnone.so.7", "libc.so.6"],
        darwin: ["libnone.7.dylib", "/usr/lib/libSystem.B.dylib"])

    private func failure(_ source: DynamicLibrary.Source) -> String? {
        let error = #expect(throws: DynamicLibrary.Failure.self) { try DynamicLibrary(source) }
        return error?.description
    }

    @Test func `the first file that there is is loaded, and its functions are called`() throws {
        let absolute: Absolute = try DynamicLibrary(Self.c).function("abs")
        #expect(absolute(-7) == 7)
    }

    @Test func `a function that is missing is named, with the version that is needed`() throws {
        let library = try DynamicLibrary(Self.c)
        let error = #expect(throws: DynamicLibrary.Failure.self) { try library.function("no_such", as: Absolute.self) }
        #expect(
            error?.description
                == "the library C on this machine has no function 'no_such'; version 2.1 or newer is needed")
    }

    @Test func `a type that is no function is refused`() throws {
        let library = try DynamicLibrary(Self.c)
        #expect(throws: DynamicLibrary.Failure.self) { try library.function("abs", as: (Int, Int).self) }
    }

    @Test(arguments: [["libnone.so.7"], ["libnone.so.7", "libnone.so"], ["/nowhere/libnone.so"], []])
    func `a library that is not installed names its Debian package`(files: [String]) {
        let source = DynamicLibrary.Source("none", debianPackage: "libnone7", linux: files, darwin: files)
        #expect(
            failure(source)
                == "the library none is not installed; install the Debian package 'libnone7', or run scripts/setup --runtime"
        )
    }

    @Test func `a file that is no library says so`() throws {
        var path = Array("/tmp/uavlink-library-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        try #require(descriptor >= 0)
        defer {
            close(descriptor)
            unlink(path)
        }
        try #require(write(descriptor, "no library", 10) == 10)
        let file = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let text = failure(DynamicLibrary.Source("broken", debianPackage: "libbroken1", linux: [file], darwin: [file]))
        #expect(text?.hasPrefix("the library broken cannot be loaded (\(file): ") == true, "\(text ?? "")")
        #expect(text?.hasSuffix("); install the Debian package 'libbroken1', or run scripts/setup --runtime") == true)
    }

    @Test func `a library whose dependency is missing is not taken for one that is not installed`() {
        let absent = "libnone.so.7: cannot open shared object file: No such file or directory"
        #expect(DynamicLibrary.isAbsence(absent, of: "libnone.so.7"))
        #expect(!DynamicLibrary.isAbsence(absent, of: "libother.so.1"))
        #expect(!DynamicLibrary.isAbsence("libnone.so.7: invalid ELF header", of: "libnone.so.7"))
    }
}
