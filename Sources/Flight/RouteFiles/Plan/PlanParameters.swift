internal import JSON
internal import Geodesy
internal import UAVLink

/// The seven parameters of an item; `null` and, in older files, a missing one mean "not set".
struct PlanParameters {
    private let document: JSONDocument
    private let node: JSONNode
    private let values: [JSONNode]

    init(_ node: JSONNode, _ document: JSONDocument) throws(RouteFileError) {
        self.document = document
        self.node = node
        let list = try document.value("params", in: node)
        values = try document.array(list, "seven parameters")
        guard values.count == 7 else { throw document.unexpected(list, "seven parameters") }
    }

    func number(_ index: Int) throws(RouteFileError) -> Double? {
        values[index].isNull ? nil : try document.number(values[index], "a number or null")
    }

    /// The place; `nil` without a valid one, and for 0, 0, which stands for where the vehicle is.
    var possiblePlace: GeographicCoordinate? {
        guard case .number(let latitude) = values[4].content, case .number(let longitude) = values[5].content,
            latitude != 0 || longitude != 0
        else { return nil }
        return try? GeographicPlace.make(longitude: longitude, latitude: latitude).get()
    }

    /// Whether latitude, longitude and altitude are 0, or the altitude is missing: no place that is looked at.
    var isZeroPlace: Bool {
        func isZero(_ index: Int) -> Bool { if case .number(0) = values[index].content { true } else { false } }
        return isZero(4) && isZero(5) && (isZero(6) || values[6].isNull)
    }

    func place() throws(RouteFileError) -> GeographicCoordinate {
        guard let latitude = try number(4), let longitude = try number(5) else {
            throw document.error(at: node, "found an item without latitude and longitude, expected both")
        }
        do throws(RouteFileError) {
            return try GeographicPlace.make(longitude: longitude, latitude: latitude).get()
        } catch { throw document.error(at: values[4], error.what) }
    }
}
