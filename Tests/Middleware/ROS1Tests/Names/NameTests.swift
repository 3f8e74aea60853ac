import Foundation
import Testing

@testable import ROS1
import ROSMessages
import SystemIO

@Suite struct NameTests {
    @Test(arguments: [
        ("/a", "/a"), ("a", "/ns/a"), ("a/b", "/ns/a/b"), ("~a", "/ns/node/a"), ("~/a", "/ns/node/a"),
        ("//a//b/", "/a/b"),
        ("_x1", "/ns/_x1"), ("/", "/"),
    ])
    func `names are resolved`(written: String, complete: String) throws {
        let names = try NameResolver(name: "node", namespace: "ns")
        #expect(try names.resolve(written).text == complete)
    }

    @Test(arguments: ["", "1a", "a-b", "a b", "a~", "~~a", "/a/1", "\u{e9}", "a\0", "/a\n"])
    func `what is no name is refused`(written: String) throws {
        let names = try NameResolver(name: "node")
        let error = #expect(throws: ROSError.self) { try names.resolve(written) }
        #expect(error?.code == .invalidName)
    }

    @Test func `length is bounded`() throws {
        let longest = "/" + String(repeating: "a", count: GraphName.maximumLength - 1)
        #expect(try GraphName(longest).text == longest)
        #expect(throws: ROSError.self) { try GraphName(longest + "a") }
        #expect(throws: ROSError.self) { try GraphName("relative") }
    }

    @Test func `the namespace of a name`() throws {
        let name = try GraphName("/uav1/control_manager/goto")
        #expect(name.namespace.text == "/uav1/control_manager")
        #expect(try GraphName("/uav1").namespace == .root)
        #expect(GraphName.root.namespace == .root)
    }

    @Test func `arguments are sorted out`() throws {
        let said = CommandLineNames(arguments: [
            "goto", "chatter:=/moved", "_gain:=2.5", "__name:=other", "__ns:=/uav2", "__ip:=10.0.0.1", "__hostname:=h",
            "__master:=http://m:1", "__log:=x", ":=odd", "a:b", "url=http://x",
        ])
        #expect(said.otherArguments == ["goto", ":=odd", "a:b", "url=http://x"])
        #expect(said.remappings == ["chatter": "/moved"])
        #expect(said.privateParameters == ["gain": "2.5"])
        #expect(said.ip == "10.0.0.1")
        let names = try NameResolver(name: "node", namespace: "ignored", commandLine: said)
        #expect(names.node.text == "/uav2/other")
        #expect(try names.resolve("chatter").text == "/moved")
        #expect(try names.resolve("/uav2/chatter").text == "/moved")
        #expect(try names.resolve("/chatter").text == "/chatter")
    }

    @Test(arguments: ["", "a/b", "~a", "1"])
    func `what is no node name is refused`(name: String) {
        #expect(throws: ROSError.self) { try NameResolver(name: name) }
    }

    @Test(arguments: [
        ("http://localhost:11311", "localhost:11311"), ("http://LocalHost:11311/", "localhost:11311"),
        ("http://127.0.0.1:11311", "localhost:11311"), ("http://127.0.0.1:11312", "localhost:11312"),
        ("http://\(ProcessInfo.processInfo.hostName):11311", "localhost:11311"), ("http://UAV1:11311", "uav1:11311"),
    ])
    func `a master has one name however it is written`(uri: String, name: String) throws {
        #expect(try ROSConfiguration(name: "n", environment: ["ROS_MASTER_URI": uri]).masterName == name)
    }

    @Test func `the environment says who we are`() throws {
        let given = try ROSConfiguration(
            name: "n",
            environment: ["ROS_MASTER_URI": "http://uav1:11311/", "ROS_HOSTNAME": "ground", "ROS_IP": "10.0.0.2"])
        #expect(given.masterURI == "http://uav1:11311/")
        #expect(given.host == "ground")
        #expect(given.listeningAddress == .any)
        let byAddress = try ROSConfiguration(name: "n", environment: ["ROS_IP": "127.0.0.1", "ROS_NAMESPACE": "/uav1"])
        #expect(byAddress.host == "127.0.0.1")
        #expect(byAddress.listeningAddress == .loopback)
        #expect(byAddress.names.node.text == "/uav1/n")
        #expect(byAddress.masterURI == ROSConfiguration.defaultMasterURI)
        let argued = try ROSConfiguration(
            name: "n", environment: ["ROS_HOSTNAME": "ground"], arguments: ["__ip:=10.0.0.3", "__master:=http://m:1"])
        #expect(argued.host == "10.0.0.3")
        #expect(argued.masterURI == "http://m:1")
    }

    @Test(arguments: [
        "", "uav1:11311", "http://uav1", "http://uav1:0", "http://uav1:70000", "https://uav1:1", "http://:1",
        "http://a b:1",
    ])
    func `what is no master address is refused`(uri: String) throws {
        let error = #expect(throws: ROSError.self) { try ROSURI(uri, scheme: "http") }
        #expect(error?.code == .invalidConfiguration)
    }
}
