internal import Planning

extension NoPath {
    /// Whether a vehicle of this clearance, which is less than what the search demanded, might have found a path, as far as the reason
    /// tells.
    ///
    /// - Parameter clearance: metres.
    func isClose(to clearance: Double) -> Bool {
        switch reason {
        case .blocked(_, by: .mapPoint(_, let metres)), .blocked(_, by: .unknown(_, let metres)): metres >= clearance
        case .blocked: false
        // The narrowest place is known to a part of a cell.
        case .noPathBetween(_, _, let gap): gap.map { $0.clearanceMetres >= clearance } ?? !isCertain
        }
    }
}
