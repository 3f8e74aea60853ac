import CommandLineKit
import Testing

@Suite struct `Help texts` {
    @Test func `a subcommand's help tells all there is to know`() {
        #expect(
            Sample.program.help(for: ["goto"]) == """
                uavlink goto - fly to a place

                USAGE
                  uavlink goto [OPTIONS] X Y Z [HEADING]

                The vehicle's answer means that it is on its way, not that it is there; use
                --wait to wait for it.

                A second paragraph.

                ARGUMENTS
                  X        east, metres
                  Y        north, metres
                  Z        up, metres
                  HEADING  degrees, 0 = east, counter-clockwise (default: as it is)

                OPTIONS
                      --relative  add to where the vehicle is
                      --body      forward, left, up

                COMMON OPTIONS
                      --json              print one JSON object
                  -v, --verbose           say more
                      --host HOST         the vehicle's name or address
                  -l, --link ssh|tcp|udp  what carries the link (default: udp)
                  -D, --define TEXT       a definition (may be repeated)
                  -h, --help              show this help and exit

                EXAMPLES
                  uavlink goto -1 2 3
                      to one metre west

                EXIT CODES
                  0  done
                  2  usage

                """)
    }

    @Test(arguments: ["goto --help", "goto -h", "goto 1 --nonsense --help", "help goto", "--json goto --help"])
    func `help is found however one asks`(line: String) {
        #expect(Sample.printed(line) == Sample.program.help(for: ["goto"]))
    }

    @Test(arguments: [
        ("gota --help", "'uavlink' has no subcommand 'gota'; did you mean 'goto'?"),
        ("fly -h", "'uavlink' has no subcommand 'fly'; try 'uavlink --help'"),
        ("help gota", "'uavlink' has no subcommand 'gota'; did you mean 'goto'?"),
        ("--json gota --help", "'uavlink' has no subcommand 'gota'; did you mean 'goto'?"),
        ("trajectory chekc --help", "'uavlink trajectory' has no subcommand 'chekc'; did you mean 'check'?"),
    ])
    func `the help of a subcommand that does not exist is an error`(line: String, error: String) {
        #expect(Sample.failure(line) == error)
    }

    @Test func `the value of an unknown option is no subcommand`() {
        #expect(Sample.printed("--nonsense 5 goto --help") == Sample.program.help(for: ["goto"]))
    }

    @Test func `the value of an option is not taken for a subcommand`() {
        #expect(Sample.printed("--host goto steer --help") == Sample.program.help(for: ["steer"]))
    }

    @Test func `the program's help names every subcommand`() throws {
        let help = try #require(Sample.printed("--help"))
        for name in ["goto", "steer", "exec", "trajectory", "completion"] { #expect(help.contains("\n  \(name) ")) }
        #expect(Sample.printed("help") == help)
        #expect(help.contains("--version"))
    }

    @Test func `required options stand in the usage line`() throws {
        let help = try #require(Sample.program.help(for: ["steer"]))
        #expect(help.contains("  uavlink steer --for DURATION [OPTIONS]\n"))
        #expect(try #require(Sample.program.help(for: ["exec"])).contains("uavlink exec [OPTIONS] COMMAND...\n"))
    }

    @Test(arguments: [40, 60, 80])
    func `lines keep to the width where words allow it`(width: Int) throws {
        let help = try #require(Sample.program.help(for: ["goto"], width: width))
        for line in help.split(separator: "\n") where !line.contains("--link") && !line.contains("[OPTIONS]") {
            #expect(line.count <= max(width, 40), "\(line)")
        }
    }

    @Test func `the version is printed`() {
        #expect(Sample.printed("--version") == "uavlink 1.2.3\n")
    }

    @Test func `help of what is not there is none`() {
        #expect(Sample.program.help(for: ["nothing"]) == nil)
    }
}
