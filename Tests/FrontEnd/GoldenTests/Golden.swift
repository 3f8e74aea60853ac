@testable import ModeKit
import Foundation
import Testing

@testable import TextScreen

/// Sizes every screen is kept in.
enum GoldenSize: String, CaseIterable, CustomTestStringConvertible {
    case small = "80x24"
    case large = "120x40"

    var size: ScreenSize {
        switch self {
        case .small: ScreenSize(rows: 24, columns: 80)
        case .large: ScreenSize(rows: 40, columns: 120)
        }
    }

    var testDescription: String { rawValue }
}

/// Screens kept as text in `Tests/GoldenTests/Screens`. `UAVLINK_RECORD_GOLDENS=1 swift test --filter GoldenTests` writes them
/// anew; the difference in git is then what a reviewer looks at.
enum Golden {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Screens")

    /// Draws a screen and compares it with the kept one.
    @MainActor
    static func check(
        _ screen: any Screen, _ name: String, _ size: GoldenSize, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var canvas = Canvas(size.size)
        draw(screen, on: &canvas, in: canvas.area)
        try check(canvas, name, size, sourceLocation: sourceLocation)
    }

    /// Draws a screen in an area that it was given before, twice, and checks that drawing changes nothing in it.
    @MainActor
    static func draw(
        _ screen: any Screen, on canvas: inout Canvas, in area: ScreenArea,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        screen.resize(to: area)
        let before = contents(of: screen)
        var again = canvas
        screen.draw(on: &canvas, in: area)
        screen.draw(on: &again, in: area)
        #expect(contents(of: screen) == before, "drawing changed the screen", sourceLocation: sourceLocation)
        #expect(canvas.lines == again.lines, "drawn again it differs", sourceLocation: sourceLocation)
    }

    /// Every stored property, to the depth and number that tell one layout, place or offset from another.
    private static func contents(of screen: any Screen) -> String {
        var text = ""
        dump(screen, to: &text, maxDepth: 6, maxItems: 1000)
        return text
    }

    static func check(
        _ canvas: Canvas, _ name: String, _ size: GoldenSize, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appendingPathComponent("\(name)-\(size.rawValue).txt")
        let drawn = canvas.lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["UAVLINK_RECORD_GOLDENS"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(drawn.utf8).write(to: file)
        }
        let kept = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(drawn == kept, "\(file.lastPathComponent) differs", sourceLocation: sourceLocation)
    }
}
