@testable import IndoorMode
@testable import MapTrajectoryMode
@testable import ModeKit
import Testing

@testable import TextScreen

/// `y` answers questions, and means nothing where none is open.
@MainActor
@Suite("The key of a yes")
struct YesKeyTests {
    @Test(arguments: ["y", "Y"] as [Character])
    func `without a question it changes nothing`(_ key: Character) {
        var map: [MapTrajectoryIntent] = []
        let mapScreen = MapTrajectoryScreen { map.append($0) }
        mapScreen.resize(to: ScreenArea(rows: 24, columns: 80))
        mapScreen.show(MapSamples.planned)
        var indoor: [IndoorIntent] = []
        let indoorScreen = IndoorScreen { indoor.append($0) }
        indoorScreen.resize(to: ScreenArea(rows: 24, columns: 80))
        indoorScreen.show(IndoorScreenState())
        (map, indoor) = ([], [])
        #expect(!mapScreen.handle(.key(.typed(key))) && map.isEmpty)
        #expect(!indoorScreen.handle(.key(.typed(key))) && indoor.isEmpty)
    }
}
