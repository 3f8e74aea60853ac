/// The version of the programs; ground and vehicle should run the same.
public enum Version {
    /// Major, minor, patch.
    public static let text = "0.1.0"
}
