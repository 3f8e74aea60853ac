import Testing
import UAVLink

@testable import SocketTransport

@Suite("Pending calls of a link") struct PendingCallsTests {
    private static let lost = LinkError(.timedOut, "lost")

    @Test func `a call of a lost session cancels nothing in the next`() async {
        var calls = PendingCalls()
        let call = calls.newCall()
        let answer: PendingCalls.Answer = await withCheckedContinuation { waiter in
            calls.add(1, of: call, .command(waiter), nil)
            var outcomes = GroundOutcomes()
            calls.failAll(Self.lost, &outcomes)
            outcomes.deliver()
        }
        #expect(answer == .failure(Self.lost))
        // The next session counts its commands from 1 again.
        let begun = calls.cancel(call)
        #expect(begun?.id == nil)
        let isCancelled = [calls.takeCancelled(call), calls.takeCancelled(call)]
        #expect(isCancelled == [true, false])
    }

    @Test func `a call that is cancelled first is known as that until its caller has returned`() {
        var calls = PendingCalls()
        let (first, second) = (calls.newCall(), calls.newCall())
        #expect(first != second)
        calls.cancelEarly(first)
        let other = calls.takeCancelled(second)
        calls.finish(first)
        let finished = calls.takeCancelled(first)
        #expect(!other && !finished)
    }

    @Test func `a command has one answer, a question none but its own`() async {
        var calls = PendingCalls()
        let (command, question) = (calls.newCall(), calls.newCall())
        let information: PendingCalls.Information = await withCheckedContinuation { asker in
            calls.add(2, of: question, .question(asker), nil)
            var outcomes = GroundOutcomes()
            calls.answer(2, .success(CommandReply(accepted: true, message: "")), &outcomes)
            #expect(outcomes.information.isEmpty && outcomes.answers.isEmpty)
            calls.inform(2, [1, 2], &outcomes)
            calls.inform(2, [3], &outcomes)
            #expect(outcomes.information.count == 1)
            outcomes.deliver()
        }
        #expect(information == .success([1, 2]))
        let answer: PendingCalls.Answer = await withCheckedContinuation { waiter in
            calls.add(3, of: command, .command(waiter), nil)
            var outcomes = GroundOutcomes()
            calls.inform(3, [1], &outcomes)
            calls.answer(3, .failure(Self.lost), &outcomes)
            calls.answer(3, .failure(Self.lost), &outcomes)
            #expect(outcomes.answers.count == 1)
            outcomes.deliver()
        }
        #expect(answer == .failure(Self.lost))
    }

    @Test func `a heartbeat's answer ends the round trips that began before it`() async {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        var calls = PendingCalls()
        let call = calls.newCall()
        let echo: PendingCalls.Echo = await withCheckedContinuation { waiter in
            calls.addPing(of: call, sentAt: start, deadline: start + .seconds(1), waiter)
            var outcomes = GroundOutcomes()
            calls.echo(sentAt: start - .nanoseconds(1), now: start, &outcomes)
            calls.endExpiredPings(now: start + .milliseconds(999), &outcomes)
            #expect(outcomes.echoes.isEmpty && calls.awaitsEcho)
            calls.echo(sentAt: start, now: start + .milliseconds(7), &outcomes)
            outcomes.deliver()
        }
        #expect(echo == .success(.milliseconds(7)))
        #expect(!calls.awaitsEcho)
    }
}
