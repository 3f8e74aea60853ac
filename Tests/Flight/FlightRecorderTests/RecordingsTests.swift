@testable import FlightRecorder
import Foundation
import IntegrationKit
import MRSMessages
import Synchronization
import Testing
import UAVLink
import UAVTestKit

/// A disk with little room.
private final class SmallDisk: RecordingSink {
    private let state: Mutex<(bytes: [UInt8], room: Int)>

    init(room: Int) { state = Mutex(([], room)) }

    var bytes: [UInt8] { state.withLock(\.bytes) }

    func append(_ bytes: [UInt8]) -> String? {
        state.withLock { state in
            guard state.bytes.count + bytes.count <= state.room else { return "No space left on device" }
            state.bytes += bytes
            return nil
        }
    }

    func replaceHead(_ bytes: [UInt8]) -> String? {
        state.withLock { $0.bytes.replaceSubrange(0..<bytes.count, with: bytes) }
        return nil
    }
}

@Suite("Where recordings go") struct RecordingsTests {
    private let clock = FakeClock()

    private func finish(_ recordings: Recordings) async throws -> [FlightRecorder.Outcome] {
        try await clock.run(through: { await recordings.finish() })
    }

    @Test func `a directory that does not exist is called so`() throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: nil, clock: clock)
        #expect {
            _ = try recordings.start("uav1", at: folder.path + "/none/")
        } throws: {
            ($0 as? LinkError)?.what == "cannot record to '\(folder.path)/none/': there is no such directory"
        }
    }

    @Test func `each vehicle has its own file, and all links of one share it`() async throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: folder.file("f.bag"), clock: clock)
        let names = ["uav1", "uav2", "uav1"]
        for name in names {
            let link = FakeLink(clock: clock)
            try await link.connect(within: .seconds(5))
            let recorded = try recordings.around(link, vehicle: name)
            _ = try await recorded.perform(.arm(true), within: .seconds(5))
            try await clock.run(through: { await recorded.close() })
        }
        let outcomes = try await finish(recordings)
        #expect(outcomes.map(\.path) == [folder.file("f.bag"), folder.file("f-uav2.bag")])
        let counts = [
            try await FlightLogFile.read(folder.file("f.bag")).commands.count,
            try await FlightLogFile.read(folder.file("f-uav2.bag")).commands.count,
        ]
        #expect(counts == [2, 1])
    }

    @Test func `a recording is started and stopped while the link is open, and started anew`() async throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: nil, clock: clock)
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(5))
        let recorded = try recordings.around(link, vehicle: "uav1")
        _ = try await recorded.perform(.arm(true), within: .seconds(5))
        #expect(recordings.file(of: "uav1") == nil)
        for name in ["a.bag", "b.bag"] {
            #expect(try recordings.start("uav1", at: folder.file(name)) == folder.file(name))
            #expect(throws: LinkError.self) { try recordings.start("uav1", at: folder.file("c.bag")) }
            _ = try await recorded.perform(.arm(false), within: .seconds(5))
            let outcome = try await clock.run(through: { await recordings.stop("uav1") })
            #expect(outcome?.path == folder.file(name) && outcome?.failure == nil)
            // Not recorded: its end was waited for.
            _ = try await recorded.perform(.arm(true), within: .seconds(5))
            #expect(try await FlightLogFile.read(folder.file(name)).commands.map(\.command) == [.arm(false)])
        }
        #expect(await recordings.stop("uav1") == nil)
        #expect(try await finish(recordings).isEmpty)
        #expect(throws: LinkError.self) { try recordings.start("uav1", at: folder.file("d.bag")) }
        await recorded.close()
    }

    @Test(arguments: ["", "/"])
    func `in a folder a file is named after vehicle and time, and cannot leave it`(end: String) async throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: folder.path + end, clock: clock)
        let link = FakeLink(clock: clock)
        try await link.connect(within: .seconds(5))
        _ = try recordings.around(link, vehicle: "../uav1")
        let paths = try await finish(recordings).map(\.path)
        #expect(paths.count == 1)
        #expect(paths.allSatisfy { $0.hasPrefix(folder.path + "/___uav1-2") && $0.hasSuffix(".bag") })
        #expect(paths.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        await link.close()
    }

    @Test func `a path that cannot be written to is refused before anything is recorded`() async throws {
        let folder = try TemporaryFolder()
        for path in [folder.file("no/f.bag"), "/proc/f.bag"] {
            let recordings = Recordings(path: path, clock: clock)
            let error = #expect(throws: LinkError.self) {
                try recordings.around(FakeLink(clock: clock), vehicle: "uav1")
            }
            #expect(error?.code == .invalidInput && error?.description.contains(path) == true)
            #expect(error?.hint != nil)
            #expect(try await finish(recordings).isEmpty)
        }
    }

    @Test func `nothing begins once all have ended`() async throws {
        let folder = try TemporaryFolder()
        let recordings = Recordings(path: folder.file("f.bag"), clock: clock)
        _ = try await finish(recordings)
        #expect(throws: LinkError.self) { try recordings.around(FakeLink(clock: clock), vehicle: "uav1") }
        #expect(!FileManager.default.fileExists(atPath: folder.file("f.bag")))
    }

    @Test func `a disk that is full ends the recording, not the flight; what was written is read`() async throws {
        // Two chunks find room.
        let disk = SmallDisk(room: 2_000_000)
        let recorder = try FlightRecorder(path: "/full/f.bag", vehicle: "uav1", to: disk, clock: clock)
        try await clock.run(through: {
            await recorder.add((1...16_384).map { BagOfNotes.setpoint(UInt32($0), at: Int64($0)) })
        })
        let outcome = try await clock.run(through: { await recorder.finish() })
        #expect(outcome.failure == "No space left on device")
        var pieces = [disk.bytes][...]
        let log = try FlightLogFile.decode { pieces.popFirst() }
        #expect(!log.isWhole && log.cutOff == nil)
        #expect(log.setpoints.count == outcome.messages && !log.setpoints.isEmpty)
        #expect(log.setpoints.map(\.number) == (0..<log.setpoints.count).map { UInt32($0) + 1 })
    }
}
