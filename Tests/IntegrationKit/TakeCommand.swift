public import UAVLink

/// Takes command where the vehicle's end decides who flies; tests of what happens without it do not call this.
public func takeCommand(of link: any UAVLink) async {
    guard let link = link.capabilities.control else { return }
    _ = try? await link.control(.take(name: "tester"), within: .patient(seconds: 20))
}
