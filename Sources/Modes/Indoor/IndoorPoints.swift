internal import FlightControl
internal import ModeKit
internal import RouteFlight
internal import RouteKit
internal import Trajectories
internal import UAVLink

/// Files of points.
extension IndoorInteractor {
    /// Replaces the route by the points of a file; this can be undone. Points without a frame are taken as those of the map.
    ///
    /// - Returns: warnings about the file.
    /// - Throws: ``FileAccessError`` or ``RouteLoadingError``; also for a file with limits or with what a route cannot hold.
    func openPoints(_ path: String) async throws -> [String] {
        let resolver = RouteResolver(references: WorldReferences(session: session), defaultFrame: .worldOrigin)
        let loaded = try await RoutePoints.read(path, from: files, resolver)
        if let omission = loaded.omissions.first { throw FileAccessError("\(path): \(omission); open it on the map") }
        guard loaded.limits.isEmpty else { throw FileAccessError("\(path) has a geofence; open it on the map") }
        desk.editor.replace(with: loaded.points)
        (desk.pointsPath, desk.savedPoints) = (path, desk.editor.points)
        return loaded.notes
    }

    /// Writes the points; no file is replaced but the one that they were last read from or written to.
    ///
    /// - Returns: warnings about what the format cannot represent.
    /// - Throws: ``FileAccessError``.
    func savePoints(_ path: String) async throws(FileAccessError) -> [String] {
        let points = desk.editor.points
        let notes = try await RoutePoints.write(
            points, to: path, session, on: files, replacing: path == desk.pointsPath)
        (desk.pointsPath, desk.savedPoints) = (path, points)
        return notes
    }
}

extension IndoorPresenter {
    func openPoints(_ path: String) {
        tasks.start { [interactor, router, weak self] in
            do {
                let notes = try await interactor.openPoints(path)
                let count = interactor.desk.editor.points.count
                router.say(Notice(.success, "\(count) points from \(path)" + notes.map { "; \($0)" }.joined()))
                interactor.settingsChanged()
            } catch {
                self?.askAgain(.openPoints, path, "\(error)")
            }
            self?.refresh()
        }
    }

    func savePoints(_ path: String) {
        guard !interactor.desk.editor.points.isEmpty else {
            return router.say(Notice(.information, RouteText.noPointsToWrite))
        }
        tasks.start { [interactor, router, weak self] in
            do throws(FileAccessError) {
                let notes = try await interactor.savePoints(path)
                router.say(Notice(.success, "points written to \(path)" + notes.map { "; \($0)" }.joined()))
            } catch {
                self?.askAgain(.savePoints, path, error.what)
            }
            self?.refresh()
        }
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
