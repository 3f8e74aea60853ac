/// A part of the way.
public enum LatencyStage: String, CaseIterable, Hashable, Sendable {
    /// Waiting for its turn after the intended instant: the caller was late or the link busy.
    case queue
    /// Checking, writing out, sealing.
    case encode
    /// On the way, there and (for a round trip) back, and whatever cannot be told apart from it.
    case network
    /// The start of a program on the vehicle: the remote shell, and Python's imports of `rosservice`.
    case startUp = "start_up"
    /// In the companion on the vehicle.
    case companion
    /// In ROS: from handing it over to the answer, or to the message leaving.
    case ros

    /// In words.
    public var title: String {
        switch self {
        case .queue: "queue"
        case .encode: "encode"
        case .network: "network"
        case .startUp: "start-up"
        case .companion: "companion"
        case .ros: "ROS"
        }
    }
}

/// How long each part of the way took, nanoseconds; the sum is the whole.
public struct StageTimes: Hashable, Sendable {
    private var times: [Int64]

    /// All zero.
    public init() { times = Array(repeating: 0, count: LatencyStage.allCases.count) }

    /// These times, the rest of the whole counted as ``LatencyStage/network``.
    ///
    /// - Parameter whole: the sample's value, nanoseconds.
    public init(whole: Int64, known: [LatencyStage: Int64]) {
        self.init()
        for (stage, time) in known where stage != .network { self[stage] = time }
        self[.network] = whole - sum
    }

    /// The time of a stage, nanoseconds; 0 for a stage that this link does not have.
    public subscript(stage: LatencyStage) -> Int64 {
        get { times[Self.index(stage)] }
        set { times[Self.index(stage)] = newValue }
    }

    /// The whole, nanoseconds.
    public var sum: Int64 { times.reduce(0, &+) }

    private static func index(_ stage: LatencyStage) -> Int {
        switch stage {
        case .queue: 0
        case .encode: 1
        case .network: 2
        case .startUp: 3
        case .companion: 4
        case .ros: 5
        }
    }
}
