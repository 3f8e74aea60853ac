import CommandLineKit
import Testing

@Suite struct `Command lines` {
    @Test func `numbers that begin with a minus are values`() throws {
        let parsed = try Sample.run("goto -1 -.5 3e0 -90deg")
        #expect(parsed.path == ["goto"])
        #expect(try parsed[Sample.x] == -1)
        #expect(try parsed[Sample.y] == -0.5)
        #expect(try parsed[Sample.z] == 3)
        #expect(try parsed[Sample.heading] == -90)
        #expect(try Sample.run("steer --for 1s --vx -1.5")[Sample.vx] == -1.5)
        #expect(try Sample.run("steer --for=1s --vx=-1.5")[Sample.vx] == -1.5)
    }

    @Test func `options stand before or after the subcommand and its words`() throws {
        for line in ["--json --link ssh goto 1 2 3", "goto --json 1 2 --link=ssh 3", "goto 1 2 3 -lssh --json"] {
            let parsed = try Sample.run(line)
            #expect(try parsed[Sample.json])
            #expect(try parsed[Sample.link] == .ssh)
            #expect(try parsed[Sample.z] == 3)
        }
    }

    @Test func `what is not given is at its default`() throws {
        let parsed = try Sample.run("goto 1 2 3")
        #expect(try parsed[Sample.heading] == nil)
        #expect(try parsed[Sample.host] == nil)
        #expect(try parsed[Sample.link] == .udp)
        #expect(try !parsed[Sample.json])
        #expect(try parsed[Sample.verbose] == 0)
        #expect(try parsed[Sample.setups].isEmpty)
        #expect(!parsed.isGiven(Sample.link))
        #expect(try Sample.run("goto 1 2 3 --link udp").isGiven(Sample.link))
    }

    @Test func `flags count and options repeat where they may`() throws {
        let parsed = try Sample.run("-vv -v -D a --define b --define=c=d goto 1 2 3")
        #expect(try parsed[Sample.verbose] == 3)
        #expect(try parsed[Sample.setups] == ["a", "b", "c=d"])
        #expect(try Sample.run("-vDa goto 1 2 3")[Sample.setups] == ["a"])
    }

    @Test func `after two dashes everything is a word`() throws {
        #expect(try Sample.run("exec -- ls -la --help")[Sample.words] == ["ls", "-la", "--help"])
        #expect(try Sample.run("exec ls")[Sample.words] == ["ls"])
        #expect(Sample.failure("exec ls -a") == "unknown option '-a'; put '--' before words that begin with '-'")
    }

    @Test func `no words at all run the program itself`() throws {
        #expect(try Sample.run("").path.isEmpty)
        #expect(try Sample.run("--host a").path.isEmpty)
        #expect(try Sample.run("trajectory check f.csv").path == ["trajectory", "check"])
    }

    @Test(arguments: [
        ("gota 1 2 3", "'uavlink' has no subcommand 'gota'; did you mean 'goto'?"),
        ("fly", "'uavlink' has no subcommand 'fly'; try 'uavlink --help'"),
        ("trajecory check a.csv", "'uavlink' has no subcommand 'trajecory'; did you mean 'trajectory'?"),
        ("trjctry check a.csv", "'uavlink' has no subcommand 'trjctry'; did you mean 'trajectory'?"),
        ("trajectory chekc", "'uavlink trajectory' has no subcommand 'chekc'; did you mean 'check'?"),
        ("trajectory", "'uavlink trajectory' needs a subcommand; try 'uavlink trajectory --help'"),
        ("goto 1 2", "Z is missing; try 'uavlink goto --help'"),
        ("goto 1 2 3 4 5", "unexpected argument '5' for 'uavlink goto'; try 'uavlink goto --help'"),
        ("goto 1 two 3", "Y: found 'two', expected a finite number of metres; try 'uavlink goto --help'"),
        ("goto nan 2 3", "X: found 'nan', expected a finite number of metres; try 'uavlink goto --help'"),
        ("goto -inf 2 3", "X: found '-inf', expected a finite number of metres; try 'uavlink goto --help'"),
        ("goto 1e999 2 3", "X: found '1e999', expected a finite number of metres; try 'uavlink goto --help'"),
        ("goto 0x10 2 3", "X: found '0x10', expected a finite number of metres; try 'uavlink goto --help'"),
        (
            "goto 1 2 3 361",
            "HEADING: found '361', expected an angle from -360 to 360 degrees; try 'uavlink goto --help'"
        ),
        ("goto 1 2 3 --relativ", "unknown option '--relativ'; did you mean '--relative'?"),
        ("goto 1 2 3 -relative", "unknown option '-relative'; did you mean '--relative'?"),
        ("goto 1 2 3 --relative --body", "--relative and --body cannot be combined; use only one of them"),
        ("goto 1 2 3 --relative=yes", "--relative takes no value, found 'yes'; try 'uavlink goto --help'"),
        ("--host", "--host needs a value; use --host HOST"),
        ("--host --json", "--host needs a value; use --host HOST"),
        ("--host a --host b", "--host was given twice; give it only once"),
        ("--json --json", "--json was given twice; give it only once"),
        ("--link=upd", "--link: found 'upd', expected ssh, tcp, udp; did you mean 'udp'?"),
        ("steer", "--for is missing; use --for DURATION"),
        (
            "steer --for 3",
            "--for: found '3', expected a duration from 10ms to 60min, such as 200ms, 1.5s or 2min; try 'uavlink steer --help'"
        ),
        (
            "steer --for 1s --vx 10.1",
            "--vx: found '10.1', expected a finite number from -10 to 10; try 'uavlink steer --help'"
        ),
        ("exec", "COMMAND is missing; try 'uavlink exec --help'"),
        ("-q", "unknown option '-q'; try 'uavlink --help'"),
        ("completion tcsh", "SHELL: found 'tcsh', expected bash, zsh, fish; try 'uavlink completion --help'"),
    ])
    func `a mistake gets one line that says what to do`(line: String, expected: String) {
        #expect(Sample.failure(line) == expected)
    }

    @Test func `what a user typed cannot steer the terminal`() {
        #expect(
            Sample.failure(["\u{1b}[2J\n"]) == "'uavlink' has no subcommand '\\u{1b}[2J\\u{a}'; try 'uavlink --help'")
        #expect(Sample.failure(["--host", ""])?.contains("expected text") == true)
    }

    @Test func `no words can make the parser fail otherwise than by an error`() {
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "--", "-", "=", "goto", "1", "--host", "-v", "help", "--help", "completion", "", "🚁", "--=", "-1",
        ]
        for _ in 0..<2000 {
            let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                (0..<Int.random(in: 1...2, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            if case .fail(let error) = Sample.program.parse(words) { #expect(!error.description.contains("\n")) }
        }
    }
}

@Suite struct Durations {
    @Test(arguments: [
        ("3s", Duration.seconds(3)), ("200ms", .milliseconds(200)), ("1.5s", .milliseconds(1500)),
        ("2min", .seconds(120)), ("1h", .seconds(3600)), ("500us", .microseconds(500)), ("7ns", .nanoseconds(7)),
        ("0s", .zero), (".5s", .milliseconds(500)), ("1e3ms", .seconds(1)),
    ])
    func `durations have units`(text: String, expected: Duration) {
        #expect(DurationText.read(text) == expected)
    }

    @Test(arguments: ["3", "", "s", "-1s", "nans", "infs", "1 s", "1sec", "1e300h", "0x1s", "3m"])
    func `what is no duration is not taken for one`(text: String) {
        #expect(DurationText.read(text) == nil)
    }

    @Test(arguments: [
        (Duration.zero, "0s"), (.milliseconds(200), "200ms"), (.milliseconds(1500), "1.5s"), (.seconds(90), "90s"),
        (.seconds(120), "2min"), (.microseconds(12), "12us"), (.nanoseconds(7), "7ns"), (.seconds(86_400), "24h"),
        (.milliseconds(-200), "-200ms"),
    ])
    func `durations are written short`(duration: Duration, expected: String) {
        #expect(DurationText.written(duration) == expected)
    }
}

@Suite struct Suggestions {
    @Test(arguments: [
        ("lnad", "land"), ("TAKEOFF", "takeoff"), ("take-off", "takeoff"), ("hov", "hover"), ("xyz", nil), ("", nil),
    ])
    func `the likely word is found and no other`(typed: String, expected: String?) {
        #expect(Suggestion.nearest(to: typed, among: ["land", "takeoff", "hover", "eland"]) == expected)
    }
}
