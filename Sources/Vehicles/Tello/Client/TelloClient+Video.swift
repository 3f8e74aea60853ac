internal import UAVLink

/// The end of the video moves nothing, and is never refused. But the drone answers it with the words of a move.
extension TelloClient {
    /// Turns the video off: at once, or after the answer to what is on its way, which would be taken for this one's otherwise.
    mutating func endVideo(for call: Call, now: MonotonicTime) {
        if let running = expectations[.move], running.command != .video(false) {
            videoMustEnd = true
            let words = "the video ends when '\(running.command.text)' was answered"
            return answer(call, CommandReply(accepted: true, message: words))
        }
        send(.video(false), for: [call], now: now, until: now + TelloTimes.setting)
    }

    /// Sends what ``endVideo(for:now:)`` has kept back, but before no landing.
    mutating func endVideoWhenFree(now: MonotonicTime) {
        guard videoMustEnd, landing == nil, expectations[.move] == nil else { return }
        videoMustEnd = false
        send(.video(false), now: now, until: now + TelloTimes.setting)
    }
}
