import Testing

@testable import VehicleAccess

/// What a vehicle's computer answers when it is asked what it is.
@Suite struct VehicleComputerTests {
    private func facts(_ text: String) -> [String] {
        LaboratoryAccess.facts(text).map { "\($0.name)\($0.isVersion ? " (version)" : ""): \($0.value)" }
    }

    @Test func `machine, OpenSSH and who keeps its clock are told apart`() {
        let said = """
            Linux 5.15.0 x86_64
            processor Intel(R) Core(TM) i7
            cores 8
            load 0.25
            OpenSSH_8.2p1 Ubuntu-4, OpenSSL 1.1.1f
            keepers chronyd ptp4l
            chrony 3,-0.000012,0.051,0.000873
            synchronised yes
            """
        #expect(
            facts(said) == [
                "system: Linux 5.15.0 x86_64", "processor: Intel(R) Core(TM) i7, 8 cores", "load at the start: 0.25",
                "OpenSSH (version): OpenSSH_8.2p1 Ubuntu-4, OpenSSL 1.1.1f", "clock kept by: chronyd, ptp4l",
                "clock by chrony: stratum 3, offset -0.000012 s, skew 0.051 ppm, root dispersion 0.000873 s",
                "clock synchronised (timedatectl): yes",
            ])
    }

    @Test func `what is not there is left out, and nobody keeps the clock`() {
        #expect(
            facts("Linux 6.1 aarch64\ncores 4\nkeepers\nchrony \nchrony 1,2\n") == [
                "system: Linux 6.1 aarch64", "processor: cores 4", "clock kept by: nobody that is known",
            ])
        #expect(facts("").isEmpty)
    }
}
