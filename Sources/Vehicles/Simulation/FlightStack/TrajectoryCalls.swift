internal import UAVLink

extension HexacopterSimulator {
    mutating func load(_ trajectory: TrajectoryReference) -> ServiceAnswer {
        guard stack.callbacksEnabled else { return .no(Refusal.callbacksDisabled) }
        guard !trajectory.points.isEmpty else { return .no(Refusal.trajectoryEmpty) }
        guard trajectory.points.allSatisfy({ $0.position.isFinite && $0.headingRadians.isFinite }),
            trajectory.timeStepSeconds.isFinite
        else { return .no(Refusal.trajectoryNotFinite) }
        let resolved = trajectory.points.map { point in
            frames.resolve(
                point.position, headingRadians: point.headingRadians, frame: trajectory.frame, body: airborneBody)
        }
        // The real stack also returns this text for an unknown frame.
        guard let first = resolved.compactMap({ $0 }).first(where: { isAllowed($0.position) }) else {
            return .no(Refusal.trajectoryOutside)
        }
        // Points outside are replaced by the last one inside before them.
        var points: [Trajectory.Point] = []
        points.reserveCapacity(resolved.count)
        var (last, isModified) = (first, false)
        for point in resolved {
            if let point, isAllowed(point.position) {
                last = point
            } else {
                isModified = true
            }
            points.append(last)
        }
        guard stack.phase == .flying else {
            return .no(Refusal.trackerLacks("setTrajectoryReference", tracker: stack.trackerName))
        }
        let step = trajectory.timeStepSeconds > 0 ? trajectory.timeStepSeconds : 0.2
        tracker?.trajectory = LoadedTrajectory(
            points: points, step: step, usesHeading: trajectory.usesHeading, loops: trajectory.loops)
        if trajectory.fliesNow {
            tracker?.startTrajectory(fromBeginning: true)
        } else if tracker?.isTrackingTrajectory == true {
            tracker?.stop()
        }
        var answer = ServiceAnswer.yes("trajectory loaded")
        answer.isModified = isModified
        return answer
    }

    mutating func followTrajectory(_ request: ServiceCall) -> ServiceAnswer {
        // After a hover that ended a landing the stack refuses references, but not these: flown on the real one.
        guard stack.callbacksEnabled || stack.phase == .flyingHome(isHeld: true) else {
            return .no(Refusal.callbacksDisabled)
        }
        let (function, refused): (String, String) =
            switch request {
            case .goToTrajectoryStart: ("gotoTrajectoryStart", "can not fly to the start of the trajectory")
            case .startTrajectory: ("startTrajectoryTracking", "can not start trajectory tracking")
            case .stopTrajectory: ("stopTrajectoryTracking", "can not stop trajectory tracking")
            default: ("resumeTrajectoryTracking", "can not resume trajectory tracking")
            }
        guard [.flying, .flyingHome(isHeld: true)].contains(stack.phase), let now = tracker else {
            return .no(Refusal.trackerLacks(function, tracker: stack.trackerName))
        }
        if case .stopTrajectory = request {
            guard now.isTrackingTrajectory else { return .yes("\(refused), already at stop") }
            tracker?.stop()
            return .yes("stopping trajectory tracking")
        }
        guard let trajectory = now.trajectory, let start = trajectory.points.first else {
            if case .resumeTrajectory = request { return .no(Refusal.noTrajectoryToResume) }
            return .no("\(refused), \(Refusal.trajectoryNotSet)")
        }
        switch request {
        case .goToTrajectoryStart:
            let heading = trajectory.usesHeading ? start.headingRadians : now.headingRadians
            let now = seconds
            tracker?.go(to: .init(position: start.position, headingRadians: heading), now: now)
            return .yes("flying to the start of the trajectory")
        case .startTrajectory:
            tracker?.startTrajectory(fromBeginning: true)
            return .yes("trajectory tracking started")
        default:
            guard !trajectory.isFinished else { return .no(Refusal.trajectoryFinished) }
            tracker?.startTrajectory(fromBeginning: false)
            return .yes("trajectory tracking resumed")
        }
    }
}
