internal import SystemKit
package import UAVLink

/// Location and reading of the configuration file.
package struct ConfigurationFile: Hashable, Sendable {
    /// Maximum size that is read, bytes: a thousand vehicles take 200 kB.
    package static let largestBytes = 1 << 20

    /// The file's path.
    package let path: String
    /// Whether the user has named it.
    package let isRequired: Bool

    /// The given path, else `UAVLINK_CONFIG`, else `uavlink/config.yaml` in `XDG_CONFIG_HOME` or `~/.config`; only the last
    /// may be missing.
    package init(path: String?, environment: [String: String]) {
        // As the XDG Base Directory Specification says: an empty variable counts as none.
        let environment = environment.filter { !$0.value.isEmpty }
        let asked = path ?? environment["UAVLINK_CONFIG"]
        isRequired = asked != nil
        let home = environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config"
        self.path = asked ?? home + "/uavlink/config.yaml"
    }

    /// Reads the file; an optional file that is missing gives an empty configuration. Relative paths of password files, world files
    /// and certificates are relative to the configuration file.
    ///
    /// - Throws: ``LinkError`` with ``LinkError/Code/invalidInput``.
    package func read() throws(LinkError) -> Configuration {
        guard isRequired || SmallFile.exists(path) else { return Configuration() }
        var configuration = try Configuration(bytes: try bytes(), source: path)
        for index in configuration.vehicles.indices {
            let profile = configuration.vehicles[index]
            configuration.vehicles[index].passwordFile = profile.passwordFile.map(beside)
            configuration.vehicles[index].world = profile.world.map(beside)
            configuration.vehicles[index].ros.moveFiles(beside)
        }
        return configuration
    }

    /// The directory that contains the file.
    var folder: String { FilePath.folder(of: path) }

    /// A path from the file: relative paths start at its own directory.
    func beside(_ file: String) -> String {
        file.hasPrefix("/") || file.hasPrefix("~") ? file : FilePath.joined(folder, file)
    }

    /// The content of the file.
    func bytes() throws(LinkError) -> [UInt8] {
        do throws(SmallFile.Failure) {
            return try SmallFile.read(path, limit: Self.largestBytes)
        } catch .tooLarge {
            throw LinkError(.invalidInput, "the configuration file \(path) is larger than \(Self.largestBytes) bytes")
        } catch {
            throw LinkError(
                .invalidInput, "cannot read the configuration file \(path)", hint: "check its path and mode")
        }
    }
}
