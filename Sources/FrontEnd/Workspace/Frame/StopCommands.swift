internal import FlightControl
internal import ModeKit
internal import UAVLink

/// The commands of the stop keys, which are sent at once and whose answers are said.
extension WorkspacePresenter {
    func perform(_ command: Command) {
        guard interactor.hasVehicle else { return say(Notice(.warning, "no vehicle is logged in")) }
        // What it ends is waited for no longer, and would end without a word.
        let ended = interactor.flight.underWay?.split(separator: ":").first.map(String.init)
        interactor.beginCommand()
        let landing = interactor.hoverInLanding(command)
        say(interactor.announcement(of: command))
        tasks.start { [interactor, weak self] in
            let answers = await interactor.perform(command)
            let notices = answers.map { answer in
                var notice = answer
                // Whether a hover ends a landing is not known yet.
                if let ended, notice.weight == .success, landing.isEmpty { notice.text += "; it ends the \(ended)" }
                return notice
            }
            for notice in notices.withoutHiddenFailures { self?.say(notice) }
            interactor.flight.followUp(landing, answers)
        }
    }
}
