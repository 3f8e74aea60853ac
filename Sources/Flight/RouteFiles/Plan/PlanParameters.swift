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

    func place() throws(RouteFileError) -> GeographicCoordinate {
        guard let latitude = try number(4), let longitude = try number(5) else {
            throw document.error(at: node, "found an item without latitude and longitude, expected both")
        }
        do throws(RouteFileError) {
            return try GeographicPlace.make(longitude: longitude, latitude: latitude).get()
        } catch { throw document.error(at: values[4], error.what) }
    }
}
