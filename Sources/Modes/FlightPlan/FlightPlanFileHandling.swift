internal import FlightControl
internal import FlightPlans
internal import ModeKit
internal import RouteFiles
internal import RouteFlight
internal import UAVLink

extension FlightPlanPresenter {
    /// Opens a prompt.
    func ask(_ kind: FlightPlanPrompt) {
        guard interactor.obstacle == nil else { return }
        let document = interactor.document
        switch kind {
        case .open, .importRoute:
            if interactor.flight?.isUnderWay == true {
                return router.say(Notice(.warning, "a plan is flown: stop or land first"))
            }
        case .write, .exportRoute:
            if document.plan == nil { return router.say(Notice(.information, "no plan is open: o opens one")) }
        }
        let text = kind == .open || kind == .write ? document.path ?? "" : ""
        state.prompt = FlightPlanTexts.prompt(kind, text: text)
    }

    /// Opens a prompt with what was typed before, unless another one is open.
    func askAgain(_ kind: FlightPlanPrompt, text: String, note: String) {
        guard state.prompt == nil else { return }
        state.prompt = FlightPlanTexts.prompt(kind, text: text)
        state.prompt?.note = note.sanitizedLine
    }

    func answer(_ text: String) {
        guard let kind = state.prompt?.kind else { return }
        state.prompt = nil
        let path = Self.trimmed(text)
        if !path.isEmpty { take(path, kind, replacing: false) }
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }

    /// Completes the path in the line, unless another prompt is opened meanwhile.
    func complete(_ text: String) {
        guard let kind = state.prompt?.kind else { return }
        tasks.start { [weak self] in
            let found = await PathCompletion.complete(text)
            guard let self, var prompt = self.state.prompt, prompt.kind == kind else { return }
            prompt.text = found.text
            prompt.note = found.choices.prefix(20).joined(separator: "  ").sanitizedLine
            prompt.revision += 1
            self.state.prompt = prompt
            self.look()
        }
    }

    /// Reads or writes a file. What is lost by that is asked for; a name that does not do stays in the prompt.
    func take(_ path: String, _ kind: FlightPlanPrompt, replacing: Bool) {
        tasks.start { [weak self] in
            do {
                try await self?.handle(path, kind, replacing: replacing)
            } catch let error as FileAccessError where error.isThere && !replacing {
                self?.ask(.overwrite(kind, path), FlightPlanTexts.replacing(file: path))
            } catch {
                let why = Self.words(error)
                self?.router.say(Notice(.error, why))
                self?.askAgain(kind, text: path, note: why)
            }
            self?.look()
        }
    }

    private func handle(_ path: String, _ kind: FlightPlanPrompt, replacing: Bool) async throws {
        switch kind {
        case .open:
            guard try await interactor.open(path, replacing: replacing) else { return askToReplace(path, kind) }
            sayOpened(path, notes: [])
        case .importRoute:
            guard let notes = try await interactor.importRoute(path, replacing: replacing) else {
                return askToReplace(path, kind)
            }
            sayOpened(path, notes: notes)
        case .write:
            try await interactor.write(to: path, replacing: replacing)
            router.say(Notice(.success, "the plan was written to \(path.sanitizedLine)"))
        case .exportRoute:
            let written = try await interactor.exportRoute(to: path, replacing: replacing)
            router.say(
                Notice(
                    written.notes.isEmpty ? .success : .warning,
                    "\(written.points) points written to \(path.sanitizedLine)"
                        + written.notes.map { "; \($0)" }.joined()))
        }
    }

    private func askToReplace(_ path: String, _ kind: FlightPlanPrompt) {
        ask(.replace(kind, path), FlightPlanTexts.losing(interactor.document.name, for: path))
    }

    private func sayOpened(_ path: String, notes: [String]) {
        guard let check = interactor.check() else { return }
        let count = interactor.document.plan?.steps.count ?? 0
        let verdict = check.isOK ? "" : "; it cannot be flown as it is"
        router.say(
            Notice(
                check.isOK && notes.isEmpty ? .success : .warning,
                "\(count) commands from \(path.sanitizedLine)\(verdict)" + notes.map { "; \($0)" }.joined()))
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as FileAccessError: error.what
        case let error as PlanProblem: error.description.sanitizedLine
        case let error as RouteFileError: error.what
        default: "\(error)".sanitizedLine
        }
    }
}
