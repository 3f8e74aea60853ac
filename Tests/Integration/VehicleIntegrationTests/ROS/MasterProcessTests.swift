import IntegrationKit
import Testing

@Suite struct MasterProcessTests {
    @Test func `a real master starts answers tools and ends`() async throws {
        try await withROSMaster { master in
            let set = try await master.tool("rosparam", "set", "/one", "1")
            #expect(set.status == 0, "\(set.errors)")
            let list = try await master.tool("rosparam", "list")
            #expect(list.output.contains("/one"), "\(list.errors)")
        }
    }

    @Test func `what a test started ends with it`() async throws {
        let child = try ChildProcess(["/bin/sh", "-c", "sleep 100 & echo ready; wait"])
        try await child.line(containing: "ready")
        await child.stop()
        #expect(child.exitStatus != nil)
    }
}
