import MRS
import Testing
import UAVLink

/// Answers of `rosservice call`, word for word as rosservice 1.15 prints them.
@Suite struct ServiceReplyTests {
    private func reply(_ output: String, _ errors: String = "", status: Int? = 0, signal: String? = nil) throws
        -> CommandReply
    {
        try ServiceCall(.enableOutput(true)).reply(
            to: RemoteResult(
                standardOutput: Array(output.utf8), standardError: Array(errors.utf8), exitStatus: status,
                signal: signal))
    }

    @Test func `success and message are read, however the text is written`() throws {
        #expect(try reply("success: True\nmessage: \"taking off\"\n").message == "taking off")
        #expect(try reply("success: True\nmessage: ''\n") == CommandReply(accepted: true, message: ""))
        let long = "success: False\nmessage: \"reference \\\"set\\\"\\n\\t\\xFCx\\0yreference \\\n  \\ z\"\n"
        #expect(try reply(long) == CommandReply(accepted: false, message: "reference \"set\"\n\tüx\u{0}yreference  z"))
        #expect(try reply("success: True\nmessage: \"m\"\nmodified: True\ntracker_names: []\n").trajectoryModified)
    }

    @Test func `the words of a failed service are a refusal`() throws {
        func words(_ printed: String) throws -> String {
            let reply = try reply("", "ERROR: service [/uav1/x] responded with an error: \(printed)\n", status: 2)
            #expect(!reply.accepted)
            return reply.message
        }
        #expect(try words("b'not flying'") == "not flying")
        #expect(try words("b'\\xc3\\xbc \\'q\\' \\\\ \\n'") == "ü 'q' \\ \n")
        #expect(try words("b\"it's\"") == "it's")
        #expect(try words("not flying") == "not flying")
        #expect(try words("b''").contains("'output-on' without a reason"))
        #expect(try words("").contains("'output-on' without a reason"))
        // Cut off in the middle.
        #expect(try words("b'abc\\x") == "abc")
        #expect(try words("b'").contains("without a reason"))
    }

    struct Failure: Sendable {
        let errors: String
        let status: Int?
        let code: LinkError.Code
        var signal: String?
    }

    @Test(arguments: [
        Failure(errors: "ERROR: Unable to communicate with master!\n", status: 2, code: .rosMasterUnreachable),
        Failure(
            errors: "Network communication failed with the master or a node.\n", status: 1, code: .rosMasterUnreachable),
        Failure(errors: "ERROR: Service [/uav1/x] is not available.\n", status: 2, code: .serviceMissing),
        Failure(
            errors: "ERROR: Unable to communicate with service [/uav1/x], address [rosrpc://vm:38861]\n", status: 2,
            code: .serviceMissing),
        Failure(
            errors: "ERROR: Unable to load type [mrs_msgs/Vec4].\nHave you typed 'make' in [mrs_msgs]?\n", status: 2,
            code: .typeMismatch),
        Failure(
            errors: "ERROR: Incompatible arguments to call service:\nNo field name [gaol]\nProvided arguments are:\n",
            status: 2, code: .typeMismatch),
        Failure(errors: "bash: line 1: exec: rosservice: not found\n", status: 127, code: .remoteFailed),
        Failure(errors: "", status: nil, code: .timedOut, signal: "KILL"),
        Failure(errors: "Traceback (most recent call last):\nOSError: boom\n", status: 1, code: .timedOut),
        Failure(errors: "", status: 255, code: .timedOut),
    ])
    func `a failure has its code and one line`(failure: Failure) {
        let error = #expect(throws: LinkError.self) {
            try reply("", failure.errors, status: failure.status, signal: failure.signal)
        }
        #expect(error?.code == failure.code, "\(error as Any)")
        #expect(error?.hint.isEmpty == false || failure.code == .typeMismatch)
    }

    @Test func `a call without a request that says nothing met another type`() throws {
        let nothing = RemoteResult(standardOutput: [], standardError: [], exitStatus: 0)
        let error = #expect(throws: LinkError.self) { try ServiceCall(.hover).reply(to: nothing) }
        #expect(error?.code == .typeMismatch, "\(error as Any)")
    }

    @Test(arguments: ["", "hello\n", "success: perhaps\n", "- a\n", "success: True\n---\nsuccess: True\n", "\u{1}"])
    func `what cannot be read leaves open whether the vehicle acted`(output: String) {
        let error = #expect(throws: LinkError.self) { try reply(output) }
        #expect(error?.code == .timedOut, "\(error as Any)")
    }
}
