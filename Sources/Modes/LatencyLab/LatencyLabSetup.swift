internal import FlightControl
internal import LatencyMeasurement
internal import ModeKit
internal import RouteFlight
internal import Impairment
internal import ReportKit
internal import SystemKit
internal import UAVLink

/// Intents of the setup phase.
extension LatencyLabPresenter {
    func handleSetup(_ intent: LatencyLabIntent) {
        if intent == .stop { return end() }
        guard run == nil, reading == nil else { return }
        let rows = LatencySetupRow.all(choices)
        switch intent {
        case .move(let step): selected = min(max(selected + step, 0), rows.count - 1)
        case .go(let line): selected = min(max(line, 0), rows.count - 1)
        case .take: take(rows[min(selected, rows.count - 1)])
        case .change(let step): change(rows[min(selected, rows.count - 1)], step)
        case .remove: remove(rows[min(selected, rows.count - 1)])
        case .typeCondition: ask(.condition)
        case .start: start()
        case .showResults: if let shown = interactor.desk.shown { read(shown) }
        default: return
        }
    }

    private func take(_ row: LatencySetupRow) {
        problem = nil
        switch row {
        case .link(let link):
            if let obstacle = choices.obstacle(to: link, interactor.vehicle?.profile) {
                problem = .happened("\(link.rawValue): \(obstacle)", at: interactor.clock.now)
            } else if choices.links.remove(link) == nil {
                choices.links.insert(link)
            }
        case .condition(let index): choices.toggle(condition: index)
        case .addCondition: ask(.condition)
        case .length: ask(.length)
        case .rate: ask(.rate)
        case .motion: choices.measuresMotion.toggle()
        }
    }

    private func change(_ row: LatencySetupRow, _ step: Int) {
        switch row {
        case .length where choices.rounds != nil:
            choices.rounds = choices.rounds.map { LatencyChoices.next($0, step, in: LatencyChoices.roundCounts) }
        case .length: choices.seconds = LatencyChoices.next(choices.seconds, step, in: LatencyChoices.lengths)
        case .rate: choices.rateHertz = LatencyChoices.next(choices.rateHertz, step, in: LatencyChoices.rates)
        default: return
        }
    }

    private func remove(_ row: LatencySetupRow) {
        guard case .condition(let index) = row else { return }
        choices.remove(condition: index)
    }

    func ask(_ kind: LatencyPromptKind) {
        prompt =
            switch kind {
            case .condition:
                LatencyPrompt(
                    kind, title: "Network impairment, the same in both directions",
                    about: Self.aboutConditions, hint: Self.conditionExample)
            case .length:
                LatencyPrompt(
                    kind, title: "Duration per condition, seconds",
                    text: choices.rounds.map { "\($0) rounds" } ?? "\(choices.seconds)",
                    about: "1 to 86400, for all links together; or so many rounds: ten have intervals, 30 a verdict",
                    hint: "60, or 30 rounds")
            case .rate:
                LatencyPrompt(
                    kind, title: "Setpoints per second", text: choices.rateHertz.formatted(decimals: 0),
                    about: "1 to 1000", hint: "100")
            case .path:
                LatencyPrompt(
                    kind, title: "Save as", text: interactor.desk.lastPath,
                    about: "the extension selects the format: \(LatencyFile.endings)", hint: "latency.html")
            }
    }

    /// Parts of a condition; a part has no blank, so that none is broken where the line ends.
    static let aboutConditions =
        "any of delay=20ms jitter=5ms loss=2% reorder=1% duplicate=1% rate=2mbit blackout=2s@10s, with commas between; "
        + "also trace (a file) and, with a rate, load (uploads)"
    /// Short enough for a line of the narrowest terminal.
    static let conditionExample = "delay=20ms,loss=2%"

    // MARK: Answers

    func handlePrompt(_ intent: LatencyLabIntent) -> Bool {
        switch intent {
        case .answer(let text): answer(text.trimmed)
        case .complete(let text): complete(text)
        case .cancelPrompt: prompt = nil
        case .confirm: agree()
        case .decline: question = nil
        default: return false
        }
        return true
    }

    private func answer(_ text: String) {
        guard let asked = prompt else { return }
        let wrong: String? =
            switch asked.kind {
            case .condition: takeCondition(text)
            case .length: takeLength(text)
            case .rate: takeRate(text)
            case .path: takePath(text)
            }
        if let wrong { prompt?.note = wrong } else { prompt = nil }
    }

    private func takeCondition(_ text: String) -> String? {
        guard !text.isEmpty else { return "nothing was typed" }
        do throws(ImpairmentError) {
            let typed = try Impairment(text) { name throws(ImpairmentError) in
                do throws(SmallFile.Failure) {
                    return try SmallFile.readRegular(FilePath.absolute(name), limit: PacketTrace.mostBytes)
                } catch { throw ImpairmentError("trace: \(name.sanitizedLine): \(error)") }
            }
            guard let index = choices.add(typed) else {
                return "there are already \(LatencyChoices.maximumConditions) conditions, the maximum"
            }
            selected = LatencySetupRow.all(choices).firstIndex(of: .condition(index)) ?? selected
            return nil
        } catch {
            return error.what
        }
    }

    private func takeLength(_ text: String) -> String? {
        for ending in ["rounds", "round"] where text.hasSuffix(ending) {
            guard let rounds = Int(String(text.dropLast(ending.count)).trimmed),
                MeasuringPlan.roundCounts.contains(rounds)
            else { return "expected a whole number of rounds from 1 to 100000" }
            choices.rounds = rounds
            return nil
        }
        let number = text.hasSuffix("s") ? String(text.dropLast()).trimmed : text
        guard let seconds = Int(number), LatencyChoices.longest.contains(seconds) else {
            return "expected a whole number of seconds from 1 to 86400, or of rounds, such as 30 rounds"
        }
        choices.rounds = nil
        choices.seconds = seconds
        return nil
    }

    private func takeRate(_ text: String) -> String? {
        guard let hertz = Double(decimal: text), MeasuringPlan.rates.contains(hertz) else {
            return "expected a number from 1 to 1000"
        }
        choices.rateHertz = hertz
        return nil
    }

    private func agree() {
        let agreed = question
        question = nil
        switch agreed {
        case .start: start(isAgreed: true)
        case .replace(let path, let kind): save(to: path, as: kind, replacing: true)
        case nil: return
        }
    }

    // MARK: Files

    private func takePath(_ text: String) -> String? {
        guard !text.isEmpty else { return "nothing was typed" }
        guard let kind = LatencyFile(path: text) else {
            return "expected a file name with one of the extensions \(LatencyFile.endings)"
        }
        save(to: text, as: kind, replacing: false)
        return nil
    }

    private func save(to path: String, as kind: LatencyFile, replacing: Bool) {
        guard let shown = reading?.shown else { return }
        reading?.writing = path.sanitizedLine
        tasks.start { [interactor, router, weak self] in
            do throws(FileAccessError) {
                try await interactor.save(shown, as: kind, to: path, replacing: replacing)
                router.say(Notice(.success, "written to \(path)"))
                if self?.reading?.shown == shown { self?.reading?.savedAs = path.sanitizedLine }
            } catch {
                if error.isThere, !replacing {
                    self?.question = .replace(path: path, kind: kind)
                } else {
                    router.say(Notice(.error, error.what))
                    self?.askAgain(for: shown, path: path, note: error.what)
                }
            }
            if self?.reading?.shown == shown { self?.reading?.writing = "" }
            self?.refresh()
        }
    }

    /// Asks for the file again, with the name that was typed, unless something else is shown by now.
    private func askAgain(for shown: LatencyLabResult, path: String, note: String) {
        guard prompt == nil, reading?.shown == shown else { return }
        ask(.path)
        prompt?.text = path
        prompt?.note = note.sanitizedLine
    }

    private func complete(_ text: String) {
        guard prompt?.kind == .path else { return }
        tasks.start { [weak self] in
            let found = await PathCompletion.complete(text)
            guard let self, var now = prompt, now.kind == .path else { return }
            now.note = found.choices.prefix(20).joined(separator: "  ").sanitizedLine
            (now.text, now.revision) = (found.text, now.revision + 1)
            prompt = now
            refresh()
        }
    }
}
