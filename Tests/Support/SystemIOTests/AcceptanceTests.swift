import Testing

@testable import SystemIO

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct AcceptanceTests {
    private func name(_ number: Int32) -> String {
        switch Acceptance(failure: number) {
        case .connection: "connection"
        case .nobody: "nobody"
        case .gone: "gone"
        case .shortage(let reported): reported == number ? "shortage" : "another shortage"
        case .ended: "ended"
        }
    }

    @Test func `a failure says whether to ask again, and when`() {
        for number in [EAGAIN, EWOULDBLOCK] { #expect(name(number) == "nobody") }
        for number in [EINTR, ECONNABORTED, EPROTO, EHOSTUNREACH] { #expect(name(number) == "gone") }
        for number in [EMFILE, ENFILE, ENOBUFS, ENOMEM] { #expect(name(number) == "shortage") }
        for number in [EINVAL, EBADF, ENOTSOCK] { #expect(name(number) == "ended") }
    }
}
