internal import ModeKit
internal import FlightControl
internal import RouteFlight
internal import Geodesy
internal import ReportKit
internal import RouteFiles
internal import RouteKit
internal import Trajectories
internal import UAVLink

extension RouteLoadingError {
    /// The first point that it concerns, counted from 1.
    fileprivate var point: Int? {
        if case .route(let error, _) = self { error.pointIndex.map { $0 + 1 } } else { nil }
    }
}

extension MapTrajectoryPresenter {
    /// Opens a prompt.
    func ask(_ kind: MapPromptKind) {
        let needsPoint: Set<MapPromptKind> = [.altitude, .hold, .heading, .cameraPitch]
        if needsPoint.contains(kind), pendingPlace == nil, let need = desk.editor.selectionNeeded {
            return router.say(Notice(.information, need))
        }
        if kind == .save, desk.editor.points.isEmpty {
            return router.say(Notice(.information, RouteText.noPointsToWrite))
        }
        let hint = MapAnswerParser(interactor).hint(kind)
        state.prompt = MapPrompt(kind, title: kind.words.title, text: present(kind), hint: hint)
    }

    /// The initial text of the line.
    private func present(_ kind: MapPromptKind) -> String {
        switch kind {
        case .altitude: desk.editor.selected?.position.z.formatted(decimals: 1) ?? ""
        case .hold: desk.editor.selected.map { RouteText.hold(at: $0) } ?? ""
        case .speed: desk.settings.options.cruiseSpeed?.formatted(decimals: 1) ?? "auto"
        case .deviation:
            if case .smoothed(let metres) = desk.settings.options.shape {
                metres.formatted(decimals: 2)
            } else {
                "straight"
            }
        case .save: desk.routePath
        case .world: desk.setup.worldFileName
        case .zone: desk.setup.zone?.description ?? "auto"
        // Where the vehicle stood before its flight: proposed, not assumed.
        case .missingGround: interactor.homeZMetres?.formatted(decimals: 2) ?? ""
        case .heading, .cameraPitch, .open, .missingAltitude, .missingFrame, .background, .origin, .goToPlace: ""
        }
    }

    /// Applies an answer; an invalid one stays in the line, with what was expected.
    func answer(_ text: String) {
        guard let kind = state.prompt?.kind else { return }
        let text = text.trimmed
        guard !text.isEmpty else { return cancelPrompt() }
        do throws(MapAnswerParser.Problem) {
            try take(text, kind, MapAnswerParser(interactor))
        } catch {
            state.prompt?.text = text
            state.prompt?.note = error.note.sanitizedLine
        }
    }

    /// Completes the path in the line, unless another prompt is opened meanwhile.
    func complete(_ text: String) {
        guard let asked = state.prompt, asked.kind.completes else { return }
        tasks.start { [weak self] in
            let found = await PathCompletion.complete(text)
            self?.put(found, for: asked.kind)
        }
    }

    private func put(_ found: PathCompletion.Completion, for kind: MapPromptKind) {
        guard var prompt = state.prompt, prompt.kind == kind else { return }
        prompt.text = found.text
        prompt.note = found.choices.prefix(20).joined(separator: "  ").sanitizedLine
        prompt.revision += 1
        state.prompt = prompt
        show()
    }

    func cancelPrompt() { (state.prompt, pendingPlace, pendingFile) = (nil, nil, nil) }

    private func take(_ text: String, _ kind: MapPromptKind, _ answers: MapAnswerParser) throws(MapAnswerParser.Problem)
    {
        switch kind {
        case .altitude: try takeAltitude(answers.z(text))
        case .hold: desk.editor.setHold(seconds: try answers.hold(text))
        case .heading: desk.editor.setHeading(try answers.heading(text, cursor: state.cursor))
        case .cameraPitch: desk.editor.setCameraPitch(radians: try answers.pitch(text))
        case .speed: try answers.setSpeed(text)
        case .deviation: try answers.setDeviation(text)
        case .origin:
            try answers.setOrigin(text)
            worldChanged()
        case .zone:
            try answers.setZone(text)
            worldChanged()
        case .goToPlace:
            state.cursor = try answers.place(text)
            state.route.followsVehicle = false
            state.viewport.centre = state.cursor
        case .missingAltitude:
            pendingDefaults.altitude = try answers.altitude(text)
            if let file = pendingFile { open(file, pendingDefaults) }
        case .missingGround:
            try answers.setGround(text)
            if let file = pendingFile { open(file, pendingDefaults) }
        case .missingFrame:
            pendingDefaults.frame = try MapAnswerParser.frame(text)
            if let file = pendingFile { open(file, pendingDefaults) }
        case .open: open(text, RouteDefaults())
        case .save: save(text)
        case .background:
            run(kind, text) { interactor throws(FileAccessError) in
                try await interactor.openBackground(text)
            } then: {
                $0.background.isEmpty && !$0.desk.features.features.isEmpty
                    ? "the background is shown once the world origin is known"
                    : "\($0.background.count) features in \(text)"
            }
        case .world where text.lowercased() == "auto":
            run(kind, text) { interactor throws(FileAccessError) in
                try await interactor.closeWorld()
            } then: { interactor in
                interactor.desk.setup.checkedWorld?.line ?? "no world file is used"
            }
        case .world:
            run(kind, text) { interactor throws(FileAccessError) in
                try await interactor.openWorld(text)
            } then: { _ in
                "world file \(text) loaded"
            }
        }
        state.prompt = nil
    }

    private func takeAltitude(_ z: Double) {
        if let place = pendingPlace {
            pendingPlace = nil
            put(place, z: z)
        } else {
            desk.editor.setAltitude(metres: z)
        }
    }

    // MARK: Files

    /// Reads the points of a file. A route that is in no file is replaced only after a question; a file that cannot be
    /// read is refused before.
    private func open(_ path: String, _ defaults: RouteDefaults, replacing: Bool = false) {
        (pendingFile, pendingDefaults) = (nil, RouteDefaults())
        tasks.start { [interactor, router, weak self] in
            do {
                guard let notes = try await interactor.open(path, defaults, replacing: replacing) else {
                    self?.replacement = .route(by: path, defaults)
                    self?.show()
                    return
                }
                let count = interactor.desk.editor.points.count
                // Its speeds are judged with the trajectory, whose speed is not known yet.
                let found = interactor.desk.file?.findings(flown: 0) ?? []
                let isComplete = !found.contains { $0.weight == .failure }
                router.say(
                    Notice(
                        isComplete ? .success : .warning,
                        "\(count.counted("point")) from \(path)" + notes.map { "; \($0)" }.joined()))
                self?.requestFit()
            } catch let error as RouteLoadingError where error.lacksAltitude || error.lacksFrame {
                self?.pendingFile = path
                self?.pendingDefaults = defaults
                self?.ask(error.lacksFrame ? .missingFrame : .missingAltitude)
                if error.lacksAltitude, let point = error.point {
                    self?.state.prompt?.title = "altitude where the file has none (first: point \(point))"
                }
            } catch let error as RouteLoadingError where error.unknownReference == .ground {
                self?.pendingFile = path
                self?.pendingDefaults = defaults
                self?.ask(.missingGround)
            } catch {
                self?.refuse(.open, text: path, "\(error)")
            }
            self?.show()
        }
    }

    /// Writes the points. Before another file is replaced it is asked; what cannot be written stays in the prompt.
    func save(_ path: String, replacing: Bool = false) {
        guard !desk.editor.points.isEmpty else {
            return router.say(Notice(.information, RouteText.noPointsToWrite))
        }
        tasks.start { [interactor, router, weak self] in
            do throws(FileAccessError) {
                let notes = try await interactor.save(path, replacing: replacing)
                router.say(Notice(.success, "points written to \(path)" + notes.map { "; \($0)" }.joined()))
            } catch {
                if error.isThere, !replacing {
                    self?.replacement = .file(path)
                } else {
                    self?.refuse(.save, text: path, error.what)
                }
            }
            self?.show()
        }
    }

    /// Says why a file could not be opened or written; its name stays in the prompt.
    private func refuse(_ kind: MapPromptKind, text: String, _ why: String) {
        let why = RouteText.withKeys(why)
        router.say(Notice(.error, why))
        askAgain(kind, text: text, note: why)
    }

    /// Opens a prompt with what was typed before, unless another one is open.
    func askAgain(_ kind: MapPromptKind, text: String, note: String) {
        guard state.prompt == nil else { return }
        ask(kind)
        state.prompt?.text = text
        state.prompt?.note = note.sanitizedLine
    }

    /// The question whether a file, or the route, is replaced.
    var replacementRequest: ConfirmationRequest? {
        switch replacement {
        case .file(let path): RouteQuestion.replacing(file: path, losing: desk.fileExtras[path] ?? [])
        case .route(let path, _): RouteQuestion.replacing(points: desk.editor.points.count, by: path)
        case nil: nil
        }
    }

    /// Takes the answer to that question.
    ///
    /// - Returns: `false` when it was not asked.
    func answerReplacing(_ intent: RouteIntent) -> Bool {
        // A question before a flight is shown first, and answered first.
        guard flying.confirmation == nil, let asked = replacement else { return false }
        switch (intent, asked) {
        case (.confirm, .file(let path)):
            replacement = nil
            save(path, replacing: true)
        case (.confirm, .route(let path, let defaults)):
            replacement = nil
            open(path, defaults, replacing: true)
        case (.decline, .file(let path)):
            replacement = nil
            askAgain(.save, text: path, note: "")
        case (.decline, .route): replacement = nil
        case (.force, _): break
        default: return false
        }
        return true
    }

    private func run(
        _ kind: MapPromptKind, _ text: String,
        _ body: @escaping @MainActor (MapTrajectoryInteractor) async throws(FileAccessError) -> Void,
        then words: @escaping @MainActor (MapTrajectoryInteractor) -> String
    ) {
        tasks.start { [interactor, router, weak self] in
            do throws(FileAccessError) {
                try await body(interactor)
                router.say(Notice(.success, words(interactor)))
                self?.worldChanged()
                self?.requestFit()
            } catch {
                self?.refuse(kind, text: text, error.what)
            }
            self?.show()
        }
    }
}
