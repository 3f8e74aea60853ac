@testable import CommandLineKit
import Testing

@Suite struct ManPageTests {
    /// A program with one of everything, and with text that means something to troff.
    static let odd = Program(
        CommandSpec(
            "odd", summary: "what's odd",
            discussion: """
                .begins like a macro, and 'quotes' a \\backslash with a "word".
                Second line, 90°.

                  kept:
                    deeper

                Last.
                """,
            arguments: [
                Argument.option("level", short: "l", .text.called("LEVEL"), help: ""),
                Argument.optionalParameter("FILE", .path, defaultText: "-", help: "what to read"),
            ],
            examples: [.init("odd -l 'a b'", "it's ^ ~ ` here,there")], exitCodes: [.init(0, "done")],
            seeAlso: ["even", "uavlink-sim"]),
        version: "2.0")

    @Test func `what means something to troff is printed as it is`() {
        #expect(
            Self.odd.manPage == #"""
                .TH "ODD" "1" "" "odd 2.0" "User Commands"
                .nh
                .ad l
                .SH NAME
                odd \- what\(aqs odd
                .SH SYNOPSIS
                .nf
                \fBodd\fR \fI[OPTIONS]\fR \fI[FILE]\fR
                .fi
                .SH "DESCRIPTION"
                \&.begins like a macro, and \(aqquotes\(aq a \ebackslash with a \(dqword\(dq. Second line, 90\[u00B0].
                .PP
                .RS 4
                .nf
                \&kept:
                \&  deeper
                .fi
                .RE
                .PP
                Last.
                .SH "ARGUMENTS"
                .TP
                \fIFILE\fR
                what to read (default: \-)
                .SH "OPTIONS"
                .TP
                \fB\-l\fR, \fB\-\-level\fR \fILEVEL\fR
                .TP
                \fB\-h\fR, \fB\-\-help\fR
                show the help of the program or the command and exit
                .TP
                \fB\-\-version\fR
                show the version and exit
                .SH "EXAMPLES"
                .TP
                \fBodd \-l \(aqa b\(aq\fR
                it\(aqs \(ha \(ti \(ga here,\:there
                .SH "EXIT STATUS"
                .TP
                \fB0\fR
                done
                .SH "SEE ALSO"
                \fBeven\fR(1), \fBuavlink\-sim\fR(1)

                """#)
    }

    @Test func `every command has its place, with its arguments`() {
        let page = Sample.program.manPage
        for line in [
            #".SS "uavlink goto [OPTIONS] X Y Z [HEADING]""#, #".SS "uavlink steer \-\-for DURATION [OPTIONS]""#,
            #".SS "uavlink exec [OPTIONS] COMMAND...""#, #".SS "uavlink trajectory SUBCOMMAND ...""#,
            #".SS "uavlink trajectory check [OPTIONS] FILE""#, #".SS "uavlink completion [OPTIONS] SHELL""#,
            #"\fB\-l\fR, \fB\-\-link\fR \fIssh|tcp|udp\fR"#, #"\fB\-\-relative\fR"#, #"\fIHEADING\fR"#,
            "degrees, 0 = east, counter\\-clockwise (default: as it is)", "a definition (may be repeated)",
            "They are valid for every command.", #"\fBuavlink goto \-1 2 3\fR"#,
        ] {
            #expect(page.split(separator: "\n").filter { $0 == line }.count == 1, "\(line)")
        }
        #expect(!page.contains("SEE ALSO"))
    }

    @Test func `a long list of choices can be broken, a short one is not`() {
        let words = (1...9).map { "choice\($0)" }
        let escaped = words.joined(separator: #"|\:"#)
        #expect(Troff.italic(words.joined(separator: "|")) == #"\fI\#(escaped)\fR"#)
        #expect(Troff.italic("ssh|tcp|udp") == #"\fIssh|tcp|udp\fR"#)
    }

    @Test func `the page and the completions of any program are printed on request`() {
        #expect(Sample.printed("--help=man") == Sample.program.manPage)
        #expect(Sample.printed("goto --help=man") == Sample.program.manPage)
        for shell in CompletionShell.allCases {
            #expect(Sample.printed("--help=\(shell.rawValue)") == Sample.program.completion(for: shell))
        }
        guard case .print(let script) = Self.odd.parse(["--help=fish"]) else {
            Issue.record("no completion of a program without subcommands")
            return
        }
        #expect(script.contains("complete -c odd"))
        #expect(
            Sample.failure("--help=men")
                == "--help: found 'men', expected no value or man, bash, zsh, fish; did you mean 'man'?")
        #expect(
            Sample.failure("--help=")
                == "--help: found '', expected no value or man, bash, zsh, fish; try 'uavlink --help'")
        #expect(Sample.printed("--help=man --help") == Sample.program.help())
    }
}
