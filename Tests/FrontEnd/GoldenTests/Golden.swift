@testable import ModeKit
import Foundation
import Testing

@testable import TextScreen

/// Sizes every screen is kept in.
enum GoldenSize: String, CaseIterable, CustomTestStringConvertible {
    /// For those screens only that name it.
    case narrow = "60x15"
    case small = "80x24"
    case large = "120x40"

    static let allCases: [GoldenSize] = [.small, .large]
    static let withNarrow: [GoldenSize] = [.narrow] + allCases

    var size: ScreenSize {
        switch self {
        case .narrow: ScreenSize(rows: 15, columns: 60)
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
        // As texts only where they differ: that takes as long as drawing.
        let isSame = canvas == again
        #expect(isSame, "drawn again it differs: \(canvas.lines) and \(again.lines)", sourceLocation: sourceLocation)
    }

    /// Every stored property, to the depth and number that tell one layout, place or offset from another.
    ///
    /// `dump` writes out each optional whole at each depth at which it stands, with all that is in it: of a screen with the thousands
    /// of values of a measurement a third of a second, twice for each drawing.
    private static func contents(of screen: any Screen) -> String {
        var (text, left) = ("", mostValues)
        write(screen, depth: deepest, &text, &left)
        return text
    }

    /// How deep properties are followed; an optional and what it holds count once.
    private static let deepest = 8
    /// How many values of a screen are compared.
    private static let mostValues = 4000
    /// How many elements of one collection are compared, besides their number: no list hides the properties behind it.
    private static let mostElements = 20

    private static func write(_ value: Any, depth: Int, _ text: inout String, _ left: inout Int) {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            guard let wrapped = mirror.children.first?.value else { return text += "nil\n" }
            return write(wrapped, depth: depth, &text, &left)
        }
        guard left > 0 else { return }
        left -= 1
        let children = mirror.children
        guard !children.isEmpty || mirror.superclassMirror != nil else { return text += "\(value)\n" }
        guard depth > 0 else { return text += "\(children.count) more\n" }
        text += "\(children.count):\n"
        let isList = mirror.displayStyle == .collection
        for child in isList ? children.prefix(mostElements) : children.prefix(children.count) {
            if let label = child.label { text += "\(label) " }
            write(child.value, depth: depth - 1, &text, &left)
        }
        var ancestor = mirror.superclassMirror
        while let present = ancestor {
            for child in present.children { write(child.value, depth: depth - 1, &text, &left) }
            ancestor = present.superclassMirror
        }
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
