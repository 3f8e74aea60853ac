/// The version of the programs; ground and companion should run the same.
public enum Version {
    /// Major, minor, patch.
    public static let text = "0.1.0"
}
