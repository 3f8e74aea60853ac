import IntegrationKit
import ROS1
import ROSMessages
import Testing
import Threads

/// A service that is called on the node's own thread, through a real ROS master.
@Suite struct ServiceThreadPeerTests {
    /// A service that answers what it was asked.
    private enum Echo: ROSService {
        static let typeName = "uavlink_tests/Echo"
        static let md5 = "d41d8cd98f00b204e9800998ecf8427e"

        struct Number: ROSMessage {
            static let typeName = "uavlink_tests/Number"
            static let md5 = "d41d8cd98f00b204e9800998ecf8427e"
            static let definition = "bool data\n"
            var data = false
            init() {}
            init(_ data: Bool) { self.data = data }
            init(from reader: inout ROSReader) throws(ROSDecodingError) { data = try reader.readBool() }
            func write(to writer: inout ROSWriter) { writer.write(data) }
        }

        typealias Request = Number
        typealias Response = Number
    }

    @Test func `a service that is called on the node's I/O thread answers there`() async throws {
        try await withROSMaster { master in
            let nodes = try ["server", "caller"].map { name in
                try ROSNode(configuration: ROSConfiguration(name: name, environment: master.environment))
            }
            for node in nodes { try await node.waitForMaster(within: .patient(seconds: 30)) }
            let server = try nodes[0].advertiseService("~echo", type: Echo.self, on: .immediate) { $0 }
            try await nodes[0].waitForRegistration(within: .patient(seconds: 30))
            let client = try nodes[1].serviceClient("/server/echo", type: Echo.self)
            try await client.connect(within: .patient(seconds: 30))
            let threads = try await nodes[1].onIOThread { () async throws(ROSError) -> [UInt] in
                var threads = [DedicatedThread.current]
                for _ in 0..<20 {
                    _ = try await client.call(Echo.Number(true), within: .patient(seconds: 30))
                    threads.append(DedicatedThread.current)
                }
                return threads
            }
            #expect(Set(threads).count == 1 && threads.first != DedicatedThread.current)
            withExtendedLifetime(server) {}
            for node in nodes { await node.shutdown() }
            // Its thread has ended.
            #expect(await nodes[1].onIOThread { 7 } == 7)
        }
    }
}
