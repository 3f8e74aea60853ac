package import UAVLink

extension Command {
    /// Its kind, if it stops or lands the vehicle: such commands have slots of their own; `nil` for every other.
    package var reservedSlot: CommandKinds? { stopsOrLands ? kind : nil }
}
