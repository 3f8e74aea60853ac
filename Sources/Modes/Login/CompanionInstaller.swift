internal import Deployment
internal import SystemKit
internal import Threads
package import UAVLink
package import VehicleAccess

/// Installs the companion of this program on a vehicle; tests substitute their own.
package protocol CompanionInstaller: Sendable {
    /// Whether this machine has a companion to install.
    func canInstall() async -> Bool

    /// Logs in, installs the companion, starts it and logs out.
    ///
    /// - Parameters:
    ///   - userPrompt: asked for what the log-in needs.
    ///   - timeout: for the log-in, and for each answer.
    ///   - tell: called with the progress in a few words, in order.
    /// - Throws: ``UAVLink/LinkError``; the companion that was there before still works.
    func install(
        for request: LoginRequest, userPrompt: any UserPrompt, within timeout: Duration,
        tell: @escaping @Sendable (String) -> Void
    ) async throws(LinkError)
}

/// Installs it as `uavlink deploy` does.
package struct DeploymentInstaller: CompanionInstaller {
    private let environment: [String: String]
    private let acceptsNewHostKey: Bool

    /// Creates an installer.
    ///
    /// - Parameter acceptsNewHostKey: whether the key of an unknown host is accepted without asking.
    package init(environment: [String: String], acceptsNewHostKey: Bool = false) {
        self.environment = environment
        self.acceptsNewHostKey = acceptsNewHostKey
    }

    private var files: CompanionFiles {
        CompanionFiles(environment: environment, executable: HostProcess.executablePath)
    }

    /// See ``CompanionInstaller/canInstall()``.
    package func canInstall() async -> Bool {
        let installer = self
        return await DedicatedThread.run { installer.files.mayHaveAny } ?? false
    }

    /// See ``CompanionInstaller/install(for:userPrompt:within:tell:)``.
    package func install(
        for request: LoginRequest, userPrompt: any UserPrompt, within timeout: Duration,
        tell: @escaping @Sendable (String) -> Void
    ) async throws(LinkError) {
        let connector = VehicleConnector(
            profile: request.profile,
            credentials: Credentials(
                password: request.password, acceptsNewHostKey: acceptsNewHostKey, userPrompt: userPrompt),
            environment: environment)
        let failure: DeploymentFailure?
        do throws(DeploymentFailure) {
            let deployment = try Deployment(over: connector, files: files, timeout: timeout)
            _ = try await deployment.run(DeploymentOptions()) { event in
                if let words = Self.words(event) { tell(words) }
            }
            failure = nil
        } catch {
            failure = error
        }
        await connector.close()
        switch failure {
        case nil: return
        case .link(let error)?: throw error
        case .refused?:
            throw LinkError(.companionUnavailable, failure?.what ?? "", hint: failure?.hint ?? "")
        }
    }

    private static func words(_ event: DeploymentEvent) -> String? {
        switch event {
        case .examined, .uploadEnded: nil
        case .step(let step): step
        case .uploaded(let bytes, let total, _):
            "uploading \(ByteText.megabytes(bytes)) of \(ByteText.megabytes(total))"
        case .warning(let warning): warning
        }
    }
}
