import Secrets
import Testing
import UAVLink

@testable import Tello
@testable import TelloEmulator

/// Joining a network as a station: on the ground only, and with a passphrase that is nowhere but in the datagram.
@Suite("Tello as a station") struct StationTests {
    private static let passphrase = "wasser-8-mond"

    private func network(_ name: String = "field") throws -> TelloNetwork {
        try TelloNetwork(name: name, passphrase: SecretBytes(Self.passphrase))
    }

    @Test func `the passphrase is in the datagram, and in no text`() throws {
        let command = TelloCommand.join(try network())
        #expect(command.bytes == Array("ap field \(Self.passphrase)".utf8))
        var dumped = ""
        dump(command, to: &dumped)
        for text in [command.text, "\(command)", String(reflecting: command), dumped] {
            #expect(!text.contains(Self.passphrase), "\(text)")
        }
        let other = TelloCommand.join(try TelloNetwork(name: "field", passphrase: SecretBytes("another-one")))
        #expect(command != other)
    }

    @Test(arguments: [
        ("", "12345678"), (String(repeating: "n", count: 33), "12345678"), ("two words", "12345678"),
        ("naïve", "12345678"), ("field", "1234567"), ("field", String(repeating: "p", count: 64)),
        ("field", "pass phrase"), ("field", "passphrase\n"), ("field", "pässphrase"),
    ])
    func `what its protocol cannot write is refused, and the passphrase is not shown`(_ name: String, _ secret: String)
        throws
    {
        let error = #expect(throws: LinkError.self) {
            _ = try TelloNetwork(name: name, passphrase: SecretBytes(secret))
        }
        #expect(error?.code == .invalidInput && error?.description.contains(secret) == false)
        for longest in [(String(repeating: "n", count: 32), String(repeating: "p", count: 63)), ("n", "12345678")] {
            _ = try TelloNetwork(name: longest.0, passphrase: SecretBytes(longest.1))
        }
    }

    @Test func `a drone that stands is told once, and its answer is taken`() throws {
        var bench = ClientBench.open()
        let call = bench.send(.join(try network()))
        #expect(bench.orders == ["ap field"])
        bench.hear("OK,drone will reboot in 3s\0")
        #expect(bench.reply(call)?.accepted == true)
        bench.state = nil
        bench.pass(.seconds(10))
        #expect(bench.orders.filter { $0.hasPrefix("ap") } == ["ap field"])
    }

    @Test func `one in the air, or of which it is not known, is not restarted`() throws {
        var flying = ClientBench.flying()
        let call = flying.send(.join(try network()))
        #expect(flying.reply(call)?.accepted == false && flying.orders.isEmpty)
        var unknown = ClientBench()
        _ = unknown.open()
        unknown.hear("ok")
        unknown.pass(until: "sdk?")
        unknown.hear("20")
        unknown.forget()
        let early = unknown.send(.join(try network()))
        #expect(unknown.reply(early)?.accepted != true && !unknown.orders.contains("ap field"))
    }

    @Test func `the plain Tello has no station mode`() throws {
        var bench = ClientBench.open("unknown command: sdk?")
        let call = bench.send(.join(try network()))
        #expect(bench.error(call)?.code == .unsupported && bench.orders.isEmpty)
        #expect(bench.error(call)?.description.contains(Self.passphrase) == false)
    }

    @Test func `the emulated drone joins, restarts, and knows no ground any more`() throws {
        var tello = EmulatedTello(now: 10)
        func answers(_ bytes: [UInt8], until time: Double) -> [String] {
            tello.receive(bytes)
            tello.advance(to: time)
            return tello.takeAnswers().map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(answers(Array("command".utf8), until: 10.5) == ["ok"])
        #expect(answers(TelloCommand.join(try network()).bytes, until: 11) == ["OK,drone will reboot in 3s\0"])
        #expect(tello.network?.name == "field" && tello.network?.passphrase == Self.passphrase)
        tello.advance(to: 11.9)
        tello.advance(to: 12.8)
        tello.advance(to: 13.7)
        #expect(!tello.isInCommandMode && answers(Array("battery?".utf8), until: 14.5).isEmpty)
        _ = answers(Array("command".utf8), until: 15)
        #expect(answers(Array("streamon".utf8), until: 15.5) == ["ok"])
        #expect(!tello.sendsVideo, "an EDU sends none as a station")
    }
}
