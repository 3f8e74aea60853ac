import SystemIO
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct SystemErrorTests {
    @Test(arguments: [
        (ENOENT, "no such file or directory"), (ECONNREFUSED, "connection refused"), (EACCES, "permission denied"),
    ])
    func `an error has the system's text, for the middle of a sentence`(number: Int32, text: String) {
        #expect(SystemError.text(number) == text)
    }

    @Test(arguments: [Int32.min, -1, 99_999, .max]) func `an unknown number is shown as a number`(number: Int32) {
        #expect(SystemError.text(number).hasSuffix("\(number)"))
    }

    #if canImport(Glibc)
        @Test func `an abbreviation stays in capitals`() { #expect(SystemError.text(EDOTDOT) == "RFS specific error") }
    #endif

    @Test func `every number has a text of one line`() {
        for number in Int32(0)..<200 {
            let text = SystemError.text(number)
            #expect(!text.isEmpty && !text.contains("\n"), "\(number)")
        }
    }
}
