internal import FlightControl
internal import ModeKit
internal import ReportKit
internal import RouteFlight
internal import RouteKit
internal import Trajectories
internal import UAVLink

/// Files of points.
extension IndoorInteractor {
    /// Replaces the route by the points of a file; this can be undone. Points without a frame are taken as those of the map.
    ///
    /// - Parameter replacing: whether a route with points that no file has is replaced.
    /// - Returns: warnings about the file; `nil` if there is such a route, which then stays.
    /// - Throws: ``FileAccessError`` or ``RouteLoadingError``; also for a file with limits or with what a route cannot hold.
    func openPoints(_ path: String, replacing: Bool) async throws -> [String]? {
        var resolver = RouteResolver(references: WorldReferences(session: session), defaultFrame: .worldOrigin)
        resolver.assumesFrame = true
        let loaded = try await RoutePoints.read(path, from: files, resolver)
        if let omission = loaded.omissions.first { throw FileAccessError("\(path): \(omission); open it on the map") }
        guard loaded.limits.isEmpty else { throw FileAccessError("\(path) has a geofence; open it on the map") }
        guard replacing || !desk.hasUnsavedPoints || loaded.points == desk.editor.points else { return nil }
        let before = desk.editor.origin
        desk.replace(with: loaded, from: path)
        // The route before may have been a path, which is flown as drawn.
        _ = followStep(from: before)
        return loaded.notes
    }

    /// Writes the points.
    ///
    /// - Parameter replacing: whether an existing file is replaced; the one that this route was last read from or written to
    ///   is, unless something else in it would be lost. A planned path that has become the route is another one.
    /// - Returns: warnings about what the format cannot represent, and what was assumed.
    /// - Throws: ``FileAccessError``.
    func savePoints(_ path: String, replacing: Bool) async throws(FileAccessError) -> [String] {
        let (points, file) = (desk.editor.points, desk.editor.file)
        let isOwn = path == file && desk.fileExtras[path] == nil
        let home = RouteHome(ofFile: desk.openedInUse?.home, takeOff: takeOffPosition)
        let notes = try await RoutePoints.write(
            points, to: path, session, home: home, on: files, replacing: replacing || isOwn)
        desk.wrote(points, to: path, before: file)
        return notes
    }
}

extension IndoorPresenter {
    /// Reads the points of a file. A route that is in no file is replaced only after a question; a file that cannot be
    /// read is refused before.
    func openPoints(_ path: String, replacing: Bool = false) {
        tasks.start { [interactor, router, weak self] in
            do {
                if let notes = try await interactor.openPoints(path, replacing: replacing) {
                    let count = interactor.desk.editor.points.count
                    router.say(
                        Notice(.success, "\(count.counted("point")) from \(path)" + notes.map { "; \($0)" }.joined()))
                    interactor.settingsChanged()
                } else {
                    self?.replacement = (.openPoints, path)
                }
            } catch {
                self?.askAgain(.openPoints, path, RouteText.withKeys("\(error)"))
            }
            self?.refresh()
        }
    }

    func savePoints(_ path: String, replacing: Bool = false) {
        guard !interactor.desk.editor.points.isEmpty else {
            return router.say(Notice(.information, RouteText.noPointsToWrite))
        }
        tasks.start { [interactor, router, weak self] in
            do throws(FileAccessError) {
                let notes = try await interactor.savePoints(path, replacing: replacing)
                router.say(Notice(.success, "points written to \(path)" + notes.map { "; \($0)" }.joined()))
            } catch {
                if error.isThere, !replacing {
                    self?.replacement = (.savePoints, path)
                } else {
                    self?.askAgain(.savePoints, path, RouteText.withKeys(error.what))
                }
            }
            self?.refresh()
        }
    }

    func saveMap(_ path: String, replacing: Bool = false) {
        load(orAsk: .save, path) { [interactor, router, weak self] () async throws(MapFailure) in
            do throws(MapFailure) {
                try await interactor.save(path, replacing: replacing)
                router.say(Notice(.success, "the map was written to \(path)"))
            } catch {
                guard case .isThere = error, !replacing else { throw error }
                self?.replacement = (.save, path)
            }
        }
    }

    /// The question whether an existing file, or the route, is replaced.
    var replacementRequest: ConfirmationRequest? {
        replacement.map { kind, path in
            kind == .openPoints
                ? RouteQuestion.replacing(points: interactor.desk.editor.points.count, by: path)
                : RouteQuestion.replacing(file: path, losing: interactor.desk.fileExtras[path] ?? [])
        }
    }

    /// Takes the answer to that question.
    ///
    /// - Returns: `false` when it was not asked.
    func answerReplacing(_ intent: RouteIntent) -> Bool {
        // A question before a flight is shown first, and answered first.
        guard flying.confirmation == nil, let (kind, path) = replacement else { return false }
        switch intent {
        case .confirm:
            replacement = nil
            switch kind {
            case .save: saveMap(path, replacing: true)
            case .openPoints: openPoints(path, replacing: true)
            default: savePoints(path, replacing: true)
            }
        case .decline:
            replacement = nil
            // Who keeps the route wants no other file.
            guard kind != .openPoints, prompt == nil else { break }
            ask(kind)
            prompt?.text = path
        case .force: break
        default: return false
        }
        return true
    }

    /// Says what failed, and shows the prompt again with what was typed, unless another one is open.
    func askAgain(_ kind: IndoorPromptKind, _ text: String, _ note: String) {
        router.say(Notice(.error, note, scope: .screen))
        guard prompt == nil else { return }
        // Without showing it before the name stands in it: the screen keeps the text that it was first shown with.
        ask(kind)
        prompt?.text = text
        prompt?.note = note.sanitizedLine
    }
}
