import IntegrationKit
import MRSMessages
import MRSMessagesROS2
import ROS2
import ROS2Node
import Synchronization
import Zenoh

/// A node beside the vehicle's own router: which setpoints the vehicle gets, and how it moves. Times are those of ``SchedulingWatch``.
final class RouterWitness: Sendable {
    /// What it has seen so far.
    struct Account: Sendable {
        /// Odometry messages.
        var odometry = 0
        /// Metres per second.
        var speed = 0.0
        /// Where the vehicle is to the east, metres.
        var x = 0.0
        /// Setpoints that ask for motion.
        var motions = 0
        /// When the newest of them came.
        var motionAt: Int64 = 0
        /// When the first neutral one after it came; before it when none has.
        var brakedAt: Int64 = 0
        /// When the vehicle was first seen at rest after it; before it when it was not.
        var restedAt: Int64 = 0

        /// Whether the vehicle is under way, by a setpoint of the last 100 ms.
        var isUnderWay: Bool { speed > 0.7 && SchedulingWatch.now - motionAt < 100_000_000 }
    }

    private let session: ROS2Session
    private let subscriptions: [ROS2Subscription]
    private let seen: Shared

    private final class Shared: Sendable { let account = Mutex(Account()) }

    init(at locator: String) throws {
        session = try ROS2Session(configuration: ROS2Configuration(zenoh: try ZenohConfiguration(locator: locator)))
        let node = try session.node(try ROS2NodeName(name: "witness"))
        let seen = Shared()
        self.seen = seen
        let setpoints = try node.subscribe(
            to: "/uav1/control_manager/velocity_reference", type: MRSMsgs.VelocityReferenceStamped.self
        ) { message, _ in
            let (now, asked) = (SchedulingWatch.now, message.reference)
            let isNeutral = [asked.velocity.x, asked.velocity.y, asked.velocity.z, asked.headingRate].allSatisfy {
                $0 == 0
            }
            seen.account.withLock { account in
                if !isNeutral {
                    (account.motionAt, account.motions) = (now, account.motions + 1)
                } else if account.brakedAt <= account.motionAt {
                    account.brakedAt = now
                }
            }
        }
        let odometry = try node.subscribe(
            to: "/uav1/estimation_manager/odom_main", type: NavMsgs.Odometry.self
        ) { message, _ in
            let (now, velocity) = (SchedulingWatch.now, message.twist.twist.linear)
            let square = velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z
            seen.account.withLock { account in
                account.odometry += 1
                account.speed = square.squareRoot()
                account.x = message.pose.pose.position.x
                if account.speed < 0.2, account.restedAt <= account.motionAt { account.restedAt = now }
            }
        }
        subscriptions = [setpoints, odometry]
    }

    /// What it has seen so far.
    var account: Account { seen.account.withLock { $0 } }

    func stop() async { await session.shutdown() }
}
