import MRSMessages
import ROS2Interfaces
import ROS2Node
import ROSMessages
import Testing
import UAVLink
import UAVTestKit

@testable import MRSROS2

/// Which ROS a companion takes a vehicle to have.
@Suite("the ROS of a vehicle") struct VehicleROSTests {
    private func choose(
        _ version: Int? = nil, router: String? = nil, domain: UInt32? = nil, environment: [String: String] = [:],
        answers: VehicleROS.Answers? = nil
    ) async throws(LinkError) -> ROS2Configuration? {
        let chosen = try await VehicleROS.choose(
            version: version, router: router, domain: domain, environment: environment
        ) {
            if answers == nil { Issue.record("nobody was to be asked") }
            return answers ?? .init(router: false, master: false)
        }
        return if case .two(let configuration) = chosen { configuration } else { nil }
    }

    @Test func `what was asked for needs nobody to be asked`() async throws {
        #expect(try await choose(1) == nil)
        #expect(try await choose(2)?.router == "tcp/127.0.0.1:7447")
        let given = try await choose(router: "tcp/10.0.0.7:7448", environment: ["ROS_DOMAIN_ID": "7"])
        #expect(given?.router == "tcp/10.0.0.7:7448")
        #expect(given?.domain == 7)
        #expect(try await choose(2, domain: 5, environment: ["ROS_DOMAIN_ID": "7"])?.domain == 5)
    }

    @Test func `a router alone stands for ROS 2, both are asked about, and nothing is ROS 1`() async throws {
        #expect(try await choose(answers: .init(router: true, master: false)) != nil)
        #expect(try await choose(answers: .init(router: false, master: false)) == nil)
        #expect(try await choose(answers: .init(router: false, master: true)) == nil)
        let both = VehicleROS.Answers(router: true, master: true)
        let error = await #expect(throws: LinkError.self) { try await choose(answers: both) }
        #expect(error?.code == .invalidInput)
        #expect(error?.hint.contains("'--ros 1' or '--ros 2'") == true)
    }

    @Test func `what contradicts itself, or is none, is refused with its value`() async throws {
        let both = await #expect(throws: LinkError.self) { try await choose(1, router: "tcp/10.0.0.7:7447") }
        #expect(both?.code == .invalidInput)
        let router = await #expect(throws: LinkError.self) { try await choose(router: "udp/10.0.0.7:7447") }
        #expect(router?.what == "router: 'udp/10.0.0.7:7447' is not a connection over TCP")
        let secure = await #expect(throws: LinkError.self) { try await choose(router: "tls/10.0.0.7:7447") }
        #expect(
            secure?.description == "router: 'tls/10.0.0.7:7447' is a connection over TLS, "
                + "which this program does not have; it runs beside the router: use 'tcp/host:port' there; 'uavlink --link ros' has TLS"
        )
        let domain = await #expect(throws: LinkError.self) { try await choose(2, environment: ["ROS_DOMAIN_ID": "x"]) }
        #expect(domain?.what == "ROS_DOMAIN_ID is 'x', which is no domain")
        let far = await #expect(throws: LinkError.self) { try await choose(2, domain: 233) }
        #expect(far?.what == "233 is no domain")
    }

    @Test func `the router is that which rmw_zenoh is told, unless one is given`() throws {
        func router(_ override: String?, given: String? = nil) throws -> String {
            try ROS2Configuration(
                router: given, domain: nil, environment: override.map { ["ZENOH_CONFIG_OVERRIDE": $0] } ?? [:]
            ).router
        }
        #expect(try router(nil) == "tcp/127.0.0.1:7447")
        #expect(
            try router(#"mode="client"; connect/endpoints=["tcp/10.0.0.8:7448", "tcp/x:1"]"#) == "tcp/10.0.0.8:7448")
        #expect(try router("connect/endpoints=['tcp/10.0.0.8:7448']") == "tcp/10.0.0.8:7448")
        #expect(try router("connect/endpoints=[]") == "tcp/127.0.0.1:7447")
        #expect(try router(#"connect/endpoints=["tcp/10.0.0.8:1"]"#, given: "tcp/a:2") == "tcp/a:2")
        #expect(try router(" connect/endpoints = [ ] ; mode=\"client\"") == "tcp/127.0.0.1:7447")
        // A later setting replaces an earlier one, as eclipse-zenoh does it.
        #expect(try router(#"connect={timeout_ms: 5};connect/endpoints=["tcp/10.0.0.8:1"]"#) == "tcp/10.0.0.8:1")
        #expect(try router(#"connect/endpoints=["tcp/10.0.0.8:1"];connect={}"#) == "tcp/127.0.0.1:7447")
    }

    @Test(arguments: [
        "connect=[]", "connect={}", "connect={endpoints:[]}", #"connect = { "endpoints" : [ ], timeout_ms: 5 }"#,
        "connect/endpoints={}", "connect/endpoints={router:[], client: []}",
    ])
    func `a setting that names no endpoint leaves the router of this computer`(_ override: String) throws {
        let environment = ["ZENOH_CONFIG_OVERRIDE": override]
        let found = try ROS2Configuration(router: nil, domain: nil, environment: environment).router
        #expect(found == "tcp/127.0.0.1:7447")
    }

    @Test(arguments: [
        #"connect/endpoints=["udp/10.0.0.8:7448"]"#, "connect/endpoints=[tcp/10.0.0.8:7448]", "connect/endpoints",
        #"connect/endpoints="#, #"connect/endpoints=["tcp/10.0.0.8"]"#, #"connect={endpoints:["tcp/10.0.0.8:7448"]}"#,
        #"connect/endpoints={router:["tcp/10.0.0.8:7448"]}"#, #"connect/endpoints=["tcp/10.0.0.8:7448"#, "connect=",
        "connect", "connect=null", #"connect/endpoints="tcp/10.0.0.8:7448""#,
    ])
    func `an override whose endpoints cannot be read is an error with its name, not another router`(
        _ override: String
    ) async throws {
        let environment = ["ZENOH_CONFIG_OVERRIDE": override]
        let error = await #expect(throws: LinkError.self) { try await choose(2, environment: environment) }
        #expect(error?.code == .invalidInput)
        #expect(error?.what.hasPrefix("ZENOH_CONFIG_OVERRIDE: ") == true, "\(error as Any)")
        // What is given by hand goes before it.
        #expect(try await choose(2, router: "tcp/a:2", environment: environment)?.router == "tcp/a:2")
    }

    @Test func `a graph has one name, however its router is spelled`() throws {
        func name(_ router: String, _ domain: UInt32 = 0) throws -> String {
            VehicleROS.graphName(of: try ROS2Configuration(router: router, domain: domain, environment: [:]))
        }
        #expect(try name("tcp/127.0.0.1:7447") == name("tcp/localhost:7447"))
        #expect(try name("tcp/127.0.0.1:7447") != name("tcp/127.0.0.1:7447", 1))
        #expect(try name("tcp/127.0.0.1:7447") != name("tcp/10.0.0.7:7447"))
    }

    @Test func `lines of the log have the severities and names of ROS 1`() {
        func line(_ level: UInt8, _ name: String) -> RosgraphMsgs.Log {
            var message = RclInterfaces.Log()
            (message.level, message.name, message.msg) = (level, name, "words")
            return RosgraphMsgs.Log(message)
        }
        #expect(line(RclInterfaces.Log.warn, "uav1.control_manager").name == "/uav1/control_manager")
        #expect(line(RclInterfaces.Log.warn, "/uav1/uavlink_sim").name == "/uav1/uavlink_sim")
        #expect(line(RclInterfaces.Log.warn, "x").level == RosgraphMsgs.Log.warn)
        #expect(line(RclInterfaces.Log.error, "x").level == RosgraphMsgs.Log.error)
        #expect(line(RclInterfaces.Log.fatal, "x").level == RosgraphMsgs.Log.fatal)
        #expect(line(RclInterfaces.Log.info, "x").level == RosgraphMsgs.Log.info)
        #expect(line(0, "x").level == RosgraphMsgs.Log.debug)
        #expect(line(255, "x").msg == "words")
    }

    @Test func `subscribers to setpoints are looked up now and then, and at once while there is none`() {
        let check = ListenerCheck()
        let clock = FakeClock()
        var asked = 0
        func isHeard(_ count: Int) -> Bool {
            check.isHeard(at: clock.now) {
                asked += 1
                return count
            }
        }
        #expect(!isHeard(0))
        #expect(isHeard(1))
        #expect(asked == 2)
        #expect(isHeard(0))
        #expect(asked == 2)
        clock.advance(by: .milliseconds(100))
        #expect(!isHeard(0))
        #expect(asked == 3)
    }
}
