internal import RouteFlight
internal import FlightControl
internal import ModeKit
internal import Planning
internal import PointCloud
internal import ReportKit
internal import RouteKit
internal import Trajectories
internal import UAVLink

/// Prompts: files, topics, numbers.
extension IndoorPresenter {
    func handleQuestions(_ intent: IndoorIntent) {
        switch intent {
        case .ask(let kind): ask(kind)
        case .complete(let text): complete(text)
        case .answer(let text): answer(text)
        case .cancelPrompt: prompt = nil
        case .pull: pull()
        case .cancelWork: cancelLoading()
        default: break
        }
    }

    func ask(_ kind: IndoorPromptKind) {
        let point = interactor.desk.editor.selected
        switch kind {
        case .altitude, .heading, .hold, .cameraPitch:
            guard let point else {
                let need = withMap(interactor.desk.editor.selectionNeeded) ?? ""
                return router.say(Notice(.warning, need))
            }
            prompt = question(kind, about: point)
        case .save where interactor.desk.map == nil: router.say(Notice(.warning, Self.noMap))
        case .savePoints where interactor.desk.editor.points.isEmpty:
            router.say(Notice(.information, RouteText.noPointsToWrite))
        default: prompt = question(kind)
        }
    }

    private func question(_ kind: IndoorPromptKind, about point: PlannedPoint) -> IndoorPrompt {
        switch kind {
        case .heading:
            return IndoorPrompt(kind, title: "Heading of the waypoint", hint: "90, path, or to 3 -1")
        case .hold:
            let planned = interactor.plannedHoldSeconds
            return IndoorPrompt(
                kind, title: "Hold at the waypoint, seconds", text: RouteText.hold(at: point, plannedHold: planned),
                about: planned > 0 ? "0 holds as planned, \(planned.formatted(decimals: 1)) s" : "", hint: "5")
        case .cameraPitch:
            return IndoorPrompt(kind, title: "Camera at the waypoint, degrees up", hint: "-30, or none")
        default:
            return IndoorPrompt(
                kind, title: "z of the waypoint, metres", text: point.position.z.formatted(decimals: 2), hint: "1.5")
        }
    }

    private func question(_ kind: IndoorPromptKind) -> IndoorPrompt {
        let options = interactor.desk.settings.options
        switch kind {
        case .speed:
            let now = options.cruiseSpeed.map { $0.formatted(decimals: 1) } ?? ""
            return IndoorPrompt(kind, title: "Maximum speed, m/s", text: now, hint: "1.5")
        case .deviation:
            return IndoorPrompt(kind, title: "Maximum deviation at corners, metres", hint: "0.3, or straight")
        case .save: return IndoorPrompt(kind, title: "Write the map to", hint: "room.pcd")
        case .openPoints: return IndoorPrompt(kind, title: "Open points", hint: "walls.csv")
        case .savePoints:
            return IndoorPrompt(
                kind, title: "Write the points to", text: interactor.desk.pointsPath,
                hint: "walls.csv")
        case .topic:
            return IndoorPrompt(
                kind, title: "Map topic", text: topics.first ?? "", about: topics.joined(separator: " "))
        case .layers:
            return IndoorPrompt(kind, title: "Number of layers", text: "\(interactor.desk.options.layers)", hint: "10")
        case .spacing:
            return IndoorPrompt(
                kind, title: "Minimum distance between map points, metres",
                text: "\(interactor.desk.options.spacingMetres)", about: "0 keeps all", hint: "0.05")
        case .body:
            let body = interactor.desk.planning.inspection.body
            return IndoorPrompt(
                kind, title: "Vehicle's radius and margin, metres", text: "\(body.radiusMetres) \(body.marginMetres)",
                hint: "0.35 0.2")
        case .freeStart:
            return IndoorPrompt(
                kind, title: "Free radius around the start, metres",
                text: "\(interactor.desk.planning.inspection.freeAroundStartMetres)",
                about: "0 assumes nothing", hint: "0.6")
        case .unknownSpace:
            return IndoorPrompt(
                kind, title: "Unknown space counts as",
                text: interactor.desk.planning.inspection.unknownIsOpen ? "free" : "blocked",
                about: "blocked, or free: the path may lead through unknown space")
        case .obstacles:
            return IndoorPrompt(
                kind, title: "Obstacles of the map",
                text: interactor.desk.planning.avoidsObstacles ? "avoid" : "straight",
                about: "avoid: the path leads around them; straight: from point to point, checked only")
        case .world:
            return IndoorPrompt(
                kind, title: "World file", text: interactor.setup.worldFileName, hint: "world.yaml, auto")
        default: return IndoorPrompt(kind, title: "Open a map", hint: "room.pcd")
        }
    }

    // MARK: Completing

    private func complete(_ text: String) {
        guard let asked = prompt else { return }
        switch asked.kind {
        case .open, .save, .openPoints, .savePoints, .world:
            tasks.start { [weak self] in
                let found = await PathCompletion.complete(text)
                self?.put(found.text, found.choices.prefix(20).joined(separator: "  "), for: asked)
            }
        case .topic:
            guard !topics.isEmpty else { return }
            let next = (topics.firstIndex(of: text) ?? -1) + 1
            put(topics[next % topics.count], "", for: asked)
        default: return
        }
    }

    /// Sets the text of the line, unless another prompt was opened meanwhile.
    private func put(_ text: String, _ note: String, for asked: IndoorPrompt) {
        guard var now = prompt, now.kind == asked.kind else { return }
        (now.text, now.note, now.revision) = (text, note.sanitizedLine, now.revision + 1)
        prompt = now
        refresh()
    }

    // MARK: Answers

    private func answer(_ text: String) {
        guard let asked = prompt else { return }
        if let wrong = take(text.trimmed, asked.kind) {
            prompt?.note = wrong
        } else if prompt == asked {
            prompt = nil
        }
    }

    /// Applies an answer; returns what is wrong with it, or `nil`.
    private func take(_ text: String, _ kind: IndoorPromptKind) -> String? {
        switch kind {
        case .altitude:
            return number(text, -1000...1000, "metres from -1000 to 1000") {
                interactor.desk.editor.setAltitude(metres: $0)
            }
        case .hold:
            return number(text, 0...3600, "seconds from 0 to 3600") { interactor.desk.editor.setHold(seconds: $0) }
        case .cameraPitch where text == "none": interactor.desk.editor.setCameraPitch(radians: nil)
        case .cameraPitch:
            return number(text, -90...90, "degrees from -90 (down) to 90, or 'none'") {
                interactor.desk.editor.setCameraPitch(radians: Heading.radians(degrees: $0))
            }
        case .heading:
            switch IndoorAnswerParser.heading(text) {
            case .success(let heading): interactor.desk.editor.setHeading(heading)
            case .failure(let wrong): return wrong.text
            }
        case .speed:
            return number(text, 0.05...20, "m/s from 0.05 to 20") { interactor.desk.settings.options.cruiseSpeed = $0 }
        case .deviation:
            switch IndoorAnswerParser.deviation(text) {
            case .success(let shape):
                interactor.desk.settings.options.shape = shape
                interactor.settingsChanged()
            case .failure(let wrong): return wrong.text
            }
        case .open, .save, .topic, .openPoints, .savePoints, .world: return takeName(text, kind)
        case .layers:
            return number(text, 1...Double(HeightLayers.largestCount), "1 to \(HeightLayers.largestCount)") {
                interactor.desk.options.layers = Int(saturating: $0)
                prepareAgain()
            }
        case .body: return takeBody(text)
        case .freeStart:
            return number(text, 0...10, "metres from 0 to 10") {
                interactor.desk.planning.inspection.freeAroundStartMetres = $0
            }
        case .obstacles:
            guard let avoids = ["avoid": true, "straight": false][text.lowercased()] else {
                return "expected 'avoid' or 'straight'"
            }
            interactor.desk.planning.avoidsObstacles = avoids
            interactor.settingsChanged()
            sayAvoidance()
        case .unknownSpace:
            // The command line's option is --open-unknown.
            let words = ["free": true, "open": true, "blocked": false, "closed": false]
            guard let isFree = words[text.lowercased()] else { return "expected 'free' or 'blocked'" }
            interactor.desk.planning.inspection.unknownIsOpen = isFree
            interactor.settingsChanged()
            router.say(
                Notice(
                    isFree ? .warning : .information,
                    isFree ? "unknown space counts as free" : "unknown space counts as blocked"))
        case .spacing:
            return number(text, 0...1000, "metres, 0 or more") {
                interactor.desk.options.spacingMetres = $0
                prepareAgain()
            }
        }
        return nil
    }

    private func number(
        _ text: String, _ range: ClosedRange<Double>, _ what: String, _ set: (Double) -> Void
    ) -> String? {
        switch IndoorAnswerParser.number(text, in: range, what) {
        case .success(let value):
            set(value)
            interactor.settingsChanged()
            return nil
        case .failure(let wrong): return wrong.text
        }
    }

    private func takeBody(_ text: String) -> String? {
        let numbers = text.split(separator: " ").map { Double(decimal: $0) ?? .nan }
        guard numbers.count == 2, (0.05...10).contains(numbers[0]), (0...10).contains(numbers[1]) else {
            return "expected two numbers: a radius from 0.05 to 10 m, a margin from 0 to 10 m"
        }
        interactor.desk.planning.inspection.body = VehicleBody(radiusMetres: numbers[0], marginMetres: numbers[1])
        interactor.settingsChanged()
        return nil
    }

    private func takeName(_ text: String, _ kind: IndoorPromptKind) -> String? {
        guard !text.isEmpty else { return "expected a name" }
        switch kind {
        case .save: saveMap(text)
        case .topic: fetch(text)
        case .openPoints: openPoints(text)
        case .savePoints: savePoints(text)
        case .world: openWorld(text)
        default:
            load(orAsk: kind, text) { [interactor, weak self] () async throws(MapFailure) in
                try await interactor.open(text)
                self?.showNewMap()
            }
        }
        return nil
    }

    private func prepareAgain() {
        load { [interactor] () async throws(MapFailure) in try await interactor.prepareAgain() }
    }

    // MARK: From the vehicle

    private func pull() {
        load { [interactor, weak self] () async throws(MapFailure) in
            let offers = try await interactor.offers()
            guard let self else { return }
            topics = offers.map(\.topic)
            switch topics.count {
            case 0: throw .noMap("the vehicle offers no map: no point cloud topic is published")
            case 1:
                try await interactor.pull(topics[0])
                showNewMap()
            default: prompt = question(.topic)
            }
        }
    }

    private func fetch(_ topic: String) {
        load { [interactor, weak self] () async throws(MapFailure) in
            try await interactor.pull(topic)
            self?.showNewMap()
        }
    }
}
