internal import Deployment
internal import Synchronization
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
    /// - Returns: what the user should know: warnings of the deployment.
    /// - Throws: ``UAVLink/LinkError``; the companion that was there before still works.
    func install(
        for request: LoginRequest, userPrompt: any UserPrompt, within timeout: Duration,
        tell: @escaping @Sendable (String) -> Void
    ) async throws(LinkError) -> [String]
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
    ) async throws(LinkError) -> [String] {
        let connector = VehicleConnector(
            profile: request.profile,
            credentials: Credentials(
                password: request.password, acceptsNewHostKey: acceptsNewHostKey, userPrompt: userPrompt),
            environment: environment)
        let warned = Mutex<[String]>([])
        let outcome: Result<DeploymentReport, DeploymentFailure>
        do throws(DeploymentFailure) {
            let deployment = try Deployment(over: connector, files: files, timeout: timeout)
            let report = try await deployment.run(DeploymentOptions()) { event in
                if case .warning(let warning) = event { warned.withLock { $0.append(warning) } }
                if let words = Self.words(event) { tell(words) }
            }
            outcome = .success(report)
        } catch {
            outcome = .failure(error)
        }
        await connector.close()
        switch outcome {
        case .success(let report): return report.warnings
        case .failure(let failure):
            // A failure does not hide what was found before it.
            let what = ([failure.what] + warned.withLock { $0 }).joined(separator: "; ")
            guard case .link(let error) = failure else {
                throw LinkError(.companionUnavailable, what, hint: failure.hint)
            }
            throw LinkError(error.code, what, hint: error.hint)
        }
    }

    private static func words(_ event: DeploymentEvent) -> String? {
        switch event {
        // Warnings are shown when it has ended: here the next step would replace them.
        case .examined, .uploadEnded, .warning: nil
        case .step(let step): step
        case .uploaded(let bytes, let total, _):
            "uploading \(ByteText.megabytes(bytes)) of \(ByteText.megabytes(total))"
        }
    }
}
