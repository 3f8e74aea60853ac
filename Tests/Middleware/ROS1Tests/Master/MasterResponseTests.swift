import ROSMessages
import Testing
import XMLRPC

@testable import ROS1

@Suite struct MasterResponseTests {
    @Test func `answers of master and nodes`() throws {
        let good = MasterResponse.done(.string("x"))
        #expect(try MasterResponse.value(of: good, from: "m") == .string("x"))
        for (response, code) in [
            (MasterResponse.refused("no"), ROSError.Code.refused), (MasterResponse.refused("no", code: 0), .refused),
            (.fault(code: 1, text: "no"), .refused), (.value(.int(1)), .protocolViolation),
            (.value(.array([.int(1), .string("")])), .protocolViolation),
            (.value(.array([.string("1"), .string(""), .int(0)])), .protocolViolation),
        ] {
            let error = #expect(throws: ROSError.self) { try MasterResponse.value(of: response, from: "m") }
            #expect(error?.code == code)
        }
    }
}
