import IntegrationKit
import ROS1
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Collects what callbacks on other threads bring.
final class Collected<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func append(_ value: Value) { values.withLock { $0.append(value) } }
}

/// Runs `body` with a node on a master and shuts the node down whatever `body` does.
func withNode<Result>(
    _ name: String, on master: ROSMasterProcess, events: Collected<ROSEvent> = Collected(), arguments: [String] = [],
    _ body: (ROSNode) async throws -> Result
) async throws -> Result {
    var configuration = try ROSConfiguration(name: name, environment: master.environment, arguments: arguments)
    configuration.onEvent = { events.append($0) }
    let node = try ROSNode(configuration: configuration)
    do {
        try await node.waitForMaster(within: .patient(seconds: 30))
        let result = try await body(node)
        await node.shutdown()
        return result
    } catch {
        await node.shutdown()
        throw error
    }
}

/// Python for after `rospy.init_node`: who subscribes is answered from `ready.set()` on.
///
/// rospy registers a publisher before it makes it a latching one, and sends what is published while a subscriber connects twice.
let answersWhenReady = """
    import threading, rospy.impl.registration
    ready, topics = threading.Event(), rospy.impl.registration.get_topic_manager()
    publishes = topics.has_publication
    topics.has_publication = lambda name: ready.wait() and publishes(name)
    """

/// This test process.
enum ProcessIdentity {
    static var own: Int32 { getpid() }
}
