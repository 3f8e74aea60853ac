import FlightControl
import Testing
import UAVLink

@testable import Workspace

@Suite struct NoticeLineTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func `a restored link does not hide that a stop was not executed, and is kept`() {
        var line = NoticeLine(now: start)
        let stop = Notice(.error, "uav1: hover: the companion lost the session before it answered")
        line.say(stop, now: start)
        line.note(Notice(.success, "uav1: link restored"), now: start + .milliseconds(1))
        #expect(line.notice == stop && line.history.count == 2)
        // It is shown no longer for it.
        line.expire(now: start + Notice.shownFor)
        #expect(line.notice == nil)
    }

    @Test func `a restored link takes the place of the lost one, and of what is no error`() {
        for before in [Notice(.error, "uav1: link lost"), Notice(.success, "uav1: take-off done")] {
            var line = NoticeLine(now: start)
            if before.weight == .error { line.note(before, now: start) } else { line.say(before, now: start) }
            line.note(Notice(.success, "uav1: link restored"), now: start + .seconds(1))
            #expect(line.notice?.text == "uav1: link restored")
        }
    }

    @Test func `bad news takes the place of an error, and what the user does of everything`() {
        var line = NoticeLine(now: start)
        line.say(Notice(.error, "uav1: hover: no answer"), now: start)
        line.note(Notice(.error, "uav1: link lost"), now: start + .seconds(1))
        #expect(line.notice?.text == "uav1: link lost")
        line.say(Notice(.error, "uav1: hover: no answer"), now: start + .seconds(2))
        line.say(Notice(.information, "hover ..."), now: start + .seconds(3))
        #expect(line.notice?.text == "hover ...")
    }

    @Test func `what a command has done is no news when a newer one has begun; what has failed stays`() {
        var line = NoticeLine(now: start)
        line.say(Notice(.success, "uav1: take-off done"), now: start, commands: 1)
        line.expire(now: start + .seconds(1), commands: 1)
        #expect(line.notice?.text == "uav1: take-off done")
        line.expire(now: start + .seconds(2), commands: 2)
        #expect(line.notice == nil && line.history.count == 1)
        line.say(Notice(.error, "uav1: hover: no answer"), now: start + .seconds(3), commands: 2)
        line.expire(now: start + .seconds(4), commands: 3)
        #expect(line.notice?.text == "uav1: hover: no answer")
        // Nor does a take-over among others hide that, and a restored link stays said.
        line.note(Notice(.information, "uav1: control taken over by bob"), now: start + .seconds(5), commands: 3)
        #expect(line.notice?.text == "uav1: hover: no answer")
        line.clear()
        line.note(Notice(.success, "uav1: link restored"), now: start + .seconds(6), commands: 3)
        line.expire(now: start + .seconds(7), commands: 4)
        #expect(line.notice?.text == "uav1: link restored")
    }
}
