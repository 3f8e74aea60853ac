/// A stage of the measured interval.
package enum LatencyStage: String, CaseIterable, Hashable, Sendable {
    /// Waiting after the scheduled instant: the caller was late or the link busy.
    case queue
    /// Validation, encoding, encryption.
    case encode
    /// In transit, one way or (for a round trip) both ways, and everything that cannot be separated from it.
    case network
    /// In the hosts that received it, from the kernel's receipt until the program read it: of UDP, where the kernels of both ends stamp
    /// datagrams. Elsewhere it is a part of ``network``.
    case receive
    /// The start of a program on the vehicle: the remote shell, and the imports of `rosservice`.
    case startUp = "start_up"
    /// In the companion on the vehicle, or in the persistent process there.
    case companion
    /// In ROS: from handing it over to the answer, or to the message leaving.
    case ros

    /// The title in tables and charts.
    package var title: String {
        switch self {
        case .queue: "queue"
        case .encode: "encode"
        case .network: "network"
        case .receive: "receive"
        case .startUp: "start-up"
        case .companion: "companion"
        case .ros: "ROS"
        }
    }
}

/// How long each stage took, nanoseconds; the sum is the total latency.
package struct StageTimes: Hashable, Sendable {
    private var times: [Int64]

    /// All zero.
    package init() { times = Array(repeating: 0, count: LatencyStage.allCases.count) }

    /// Known times; the rest of the total is counted as ``LatencyStage/network``.
    ///
    /// - Parameter whole: the sample's latency, nanoseconds.
    package init(whole: Int64, known: [LatencyStage: Int64]) {
        self.init()
        for (stage, time) in known where stage != .network { self[stage] = time }
        // A companion's times come from outside.
        self[.network] = whole &- sum
    }

    /// The time of a stage, nanoseconds; 0 for a stage that this link does not have.
    package subscript(stage: LatencyStage) -> Int64 {
        get { times[Self.index(stage)] }
        set { times[Self.index(stage)] = newValue }
    }

    /// The total, nanoseconds.
    package var sum: Int64 { times.reduce(0, &+) }

    private static func index(_ stage: LatencyStage) -> Int {
        switch stage {
        case .queue: 0
        case .encode: 1
        case .network: 2
        case .receive: 3
        case .startUp: 4
        case .companion: 5
        case .ros: 6
        }
    }
}
