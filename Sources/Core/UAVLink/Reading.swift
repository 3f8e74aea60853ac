/// One more measurement of a machine, for which no part of ``Telemetry`` is: its temperature, what its motors are given.
public struct Reading: Hashable, Sendable {
    /// What is measured, in words for a line of its own (`pressure`).
    public var name: String
    /// The values, in ``unit``.
    public var values: [Double]
    /// The unit of each (`hPa`); empty where it has none.
    public var unit: String
    /// With how many decimals it is shown: as many as it has.
    public var decimals: Int

    /// One more measurement.
    public init(_ name: String, _ values: Double..., unit: String, decimals: Int = 0) {
        self.name = name
        self.values = values
        self.unit = unit
        self.decimals = decimals
    }
}
