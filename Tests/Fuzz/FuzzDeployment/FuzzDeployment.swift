import FuzzKit

@testable import Deployment

/// Any bytes as what our scripts print on a vehicle, as the status of its companion, and as a program to be uploaded.
@main enum FuzzDeployment: FuzzTarget {
    static func test(_ bytes: [UInt8]) {
        _ = CompanionFile.kind(of: bytes)
        _ = try? ELFFile.check(bytes)
        let printed = String(decoding: bytes, as: UTF8.self)
        _ = CompanionStatus(printed)
        _ = ServiceUnit.variables(printed)
        guard let facts = HostFacts(ScriptAnswer(printed)) else { return }
        precondition(facts.home.isEmpty || facts.home.hasPrefix("/"), "a relative home")
        precondition(!facts.architecture.contains("/"), "an architecture with a slash")
        for name in facts.stored { precondition(!name.contains("/") && !name.contains(" "), "a name that is a path") }
        _ = (facts.json, facts.lines)
    }
}
