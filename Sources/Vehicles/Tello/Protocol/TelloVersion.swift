/// The edition of the drone's SDK: each one takes what the ones before it take, but for a few questions.
package enum TelloVersion: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// 1.3: the plain Tello. It does not know `sdk?`, and has no `stop`.
    case sdk13 = 13
    /// 2.0: the Tello EDU, and a Tello with new firmware.
    case sdk20 = 20
    /// 3.0: the RoboMaster TT.
    case sdk30 = 30

    /// Whether `left` is the older one.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// What a drone is by its answer to `sdk?`: `20`, `30`; one that does not know the question is of 1.3.
    ///
    /// - Returns: `nil` for an answer that is none.
    package init?(answer: TelloReply) {
        switch answer {
        case .unknownCommand, .failure: self = .sdk13
        case .value(let text):
            guard let number = Int(text), (1...99).contains(number) else { return nil }
            self = number >= Self.sdk30.rawValue ? .sdk30 : number >= Self.sdk20.rawValue ? .sdk20 : .sdk13
        case .ok, .forcedStop: return nil
        }
    }

    /// `1.3`, `2.0`, `3.0`
    package var text: String {
        switch self {
        case .sdk13: "1.3"
        case .sdk20: "2.0"
        case .sdk30: "3.0"
        }
    }

    /// Whether it has `stop`, which ends a move.
    package var hasStop: Bool { self >= .sdk20 }

    /// Whether it can join a network as a station.
    package var hasStationMode: Bool { self >= .sdk20 }

    /// Whether it recognises mission pads.
    package var hasPads: Bool { self >= .sdk20 }
}
