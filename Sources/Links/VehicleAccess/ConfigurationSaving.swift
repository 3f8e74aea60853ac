#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
package import SSHTransport
internal import SystemKit
package import UAVLink

extension ConfigurationFile {
    /// Maximum length of a stored password, bytes: longer ones are not read back.
    static let longestPassword = 1024

    /// Adds a vehicle to the file, and its password to a separate file if one is given. Blocks.
    ///
    /// The rest of the file stays, including comments. The password goes into `passwords/NAME` next to the configuration,
    /// mode 600 in a directory with mode 700, and the profile names it.
    ///
    /// - Returns: the vehicle as ``read()`` returns it from now on.
    /// - Throws: ``LinkError`` with `invalidInput` if the file is not a valid configuration, the name is taken, or a file
    ///   cannot be written; the configuration is unchanged then.
    @discardableResult
    package func save(_ profile: VehicleProfile, password: SSHSecret? = nil) throws(LinkError) -> VehicleProfile {
        var profile = profile
        let old = try presentBytes()
        let edit = try ConfigurationEdit(old, source: path)
        let passwordFile = "passwords/\(profile.name)"
        if password != nil {
            guard Self.isFileName(profile.name) else {
                throw LinkError(
                    .invalidInput,
                    "the name '\(profile.name)' is not a valid file name, so the password cannot be stored",
                    hint: "use letters, digits, '-', '_' and '.'")
            }
            profile.passwordFile = passwordFile
        } else if let given = profile.passwordFile, !given.hasPrefix("~") {
            // A path from the command line is relative to the working directory.
            profile.passwordFile = FilePath.absolute(given)
        }
        profile.ros.moveFiles { $0.hasPrefix("~") ? $0 : FilePath.absolute($0) }
        let new = try edit.adding(profile)
        if let password { try write(password, to: beside(passwordFile)) }
        do {
            try replace(old, with: new)
        } catch {
            if password != nil { unlink(beside(passwordFile)) }
            throw error
        }
        profile.passwordFile = profile.passwordFile.map(beside)
        profile.world = profile.world.map(beside)
        return profile
    }

    /// Stores the password of a vehicle in the configuration: in the file that its profile names, else in `passwords/NAME`,
    /// which is added to the profile. Blocks.
    ///
    /// - Throws: as ``save(_:password:)``.
    package func store(_ password: SSHSecret, forVehicle name: String) throws(LinkError) {
        let old = try presentBytes()
        let profile = try Configuration(bytes: old, source: path).profile(named: name)
        if let file = profile.passwordFile { return try write(password, to: Credentials.expandingHome(beside(file))) }
        guard Self.isFileName(name) else {
            throw LinkError(
                .invalidInput, "the name '\(name)' is not a valid file name, so the password cannot be stored",
                hint: "set 'password-file' in its profile")
        }
        let passwordFile = "passwords/\(name)"
        let new = try ConfigurationEdit(old, source: path).naming(passwordFile: passwordFile, of: name)
        try write(password, to: beside(passwordFile))
        do {
            try replace(old, with: new)
        } catch {
            unlink(beside(passwordFile))
            throw error
        }
    }

    /// Whether a vehicle's name is a safe file name: inside the directory, and not hidden.
    package static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix(".") && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }

    private func presentBytes() throws(LinkError) -> [UInt8] {
        SmallFile.exists(path) ? try bytes() : []
    }

    private func replace(_ old: [UInt8], with new: [UInt8]) throws(LinkError) {
        try PrivateFile.makeFolders(folder)
        // An editor may have saved the file meanwhile: it is not overwritten.
        guard try presentBytes() == old else {
            throw LinkError(.invalidInput, "\(path) was changed meanwhile by another program", hint: "try again")
        }
        let result = new.withUnsafeBytes { bytes -> Result<Void, LinkError> in
            Result { () throws(LinkError) in
                try PrivateFile.replace(path, with: bytes, mode: 0o600, keepsMode: true)
            }
        }
        try result.get()
    }

    private func write(_ password: SSHSecret, to file: String) throws(LinkError) {
        let isInOwnFolder = file.hasPrefix(beside("passwords") + "/")
        if isInOwnFolder { try PrivateFile.makeSecretFolder(beside("passwords")) }
        let result = password.withBytes { bytes -> Result<Void, LinkError> in
            guard !bytes.isEmpty, bytes.count <= Self.longestPassword,
                !bytes.contains(where: { [0, 10, 13].contains($0) })
            else {
                return .failure(
                    LinkError(
                        .invalidInput,
                        "a password that is empty, has several lines or is longer than \(Self.longestPassword) bytes "
                            + "cannot be stored"))
            }
            return Result { () throws(LinkError) in
                try PrivateFile.replace(file, with: bytes, mode: 0o600, keepsMode: false)
            }
        }
        try result.get()
    }
}
