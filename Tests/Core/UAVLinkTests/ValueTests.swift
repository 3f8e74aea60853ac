import Testing
import UAVLink

@Suite struct `Untrusted text` {
    @Test(arguments: [
        ("taking off", "taking off"), ("a\nb\tc", "a b c"), ("\u{1b}[31mred", "␛[31mred"), ("\u{0}", "␀"),
        ("\u{7f}", "␡"), ("\r", "␍"), ("\u{9b}2J", "\\u{9b}2J"), ("\u{202e}gpj", "\\u{202e}gpj"),
        ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("\u{2028}", "\\u{2028}"), ("příliš 🚁", "příliš 🚁"), ("", ""),
        ("\u{200e}\u{200f}", "\\u{200e}\\u{200f}"), ("e\u{301}", "e\u{301}"),
    ])
    func `controls are shown, not obeyed`(text: String, line: String) {
        #expect(text.sanitizedLine == line)
    }

    @Test func `lines stay where lines are wanted`() {
        #expect("a\n\tb\u{1b}".sanitized == "a\n\tb␛")
    }

    @Test func `every control there is, is gone`() {
        for value in UInt32(0)...0x2100 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = scalar.properties.generalCategory == .control
            let line = String(scalar).sanitizedLine
            if isControl { #expect(!line.unicodeScalars.contains(scalar)) }
            #expect(!line.isEmpty)
        }
    }

    @Test func `an error's text is sanitized`() {
        let error = LinkError(.remoteFailed, "it said: \u{1b}c\nreally", hint: "try\u{7}")
        #expect(error.description == "it said: ␛c really; try␇")
        #expect(LinkError(.closed, "closed").description == "closed")
    }
}

@Suite struct Time {
    static let durations: [(Duration, Int64)] = [
        (.seconds(1), 1_000_000_000), (.nanoseconds(1), 1), (.zero, 0), (.milliseconds(-1500), -1_500_000_000),
        (.nanoseconds(-1), -1), (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
        (.seconds(9_223_372_036), 9_223_372_036_000_000_000), (.nanoseconds(Int64.max), .max),
        (.nanoseconds(Int64.min), .min), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
        // About the longest that fits in 64 bits of attoseconds, 9.22 s, and towards zero on both sides.
        (Duration(attoseconds: Int128(Int64.max)), 9_223_372_036),
        (Duration(attoseconds: Int128(Int64.max) + 1), 9_223_372_036),
        (Duration(attoseconds: Int128(Int64.min)), -9_223_372_036),
        (Duration(attoseconds: Int128(Int64.min) - 1), -9_223_372_036),
        (Duration(attoseconds: -1_999_999_999), -1),
        (Duration(attoseconds: -9_999_999_999_999_999_999), -9_999_999_999),
    ]

    @Test(arguments: durations)
    func `durations are reported in nanoseconds, cut where they do not fit`(duration: Duration, expected: Int64) {
        #expect(duration.nanoseconds == expected)
    }

    @Test func `durations are reported in the units of people`() {
        #expect(Duration.milliseconds(1500).inSeconds == 1.5)
        #expect(Duration.microseconds(1500).inMilliseconds == 1.5)
    }

    @Test func `instants and durations add up`() {
        let early = MonotonicTime(nanoseconds: 5)
        let late = early + .microseconds(1)
        #expect(late.nanoseconds == 1005)
        #expect(late - early == .microseconds(1))
        #expect(early - late == .microseconds(-1))
        #expect(late - .microseconds(1) == early)
        #expect(early < late)
        // Nonsense from outside must not trap.
        #expect((MonotonicTime(nanoseconds: .max) + .seconds(1)).nanoseconds < 0)
    }

    @Test func `the machine's clock does not go back`() {
        let clock = SystemMonotonicClock()
        var last = clock.now
        for _ in 0..<1000 {
            let now = clock.now
            #expect(now >= last)
            last = now
        }
    }
}

@Suite struct Headings {
    /// In halves of pi.
    static let quarterTurns: [(Double, Double)] = [
        (0, 0), (2, 2), (-2, 2), (6, 2), (-6, 2), (4, 0), (-4, 0), (1, 1), (3, -1), (-3, 1), (40.5, 0.5), (-40.5, -0.5),
    ]

    @Test(arguments: quarterTurns)
    func `a heading is brought into one turn`(quarters: Double, expected: Double) {
        #expect(abs(Heading.wrapped(quarters * .pi / 2) - expected * .pi / 2) < 1e-9)
    }

    @Test func `every heading ends up above minus pi and not above pi`() {
        var value = -50.0
        while value < 50 {
            let wrapped = Heading.wrapped(value)
            #expect(wrapped > -.pi && wrapped <= .pi)
            #expect(abs((value - wrapped).remainder(dividingBy: 2 * .pi)) < 1e-9)
            value += 0.01
        }
        #expect(Heading.wrapped(1e300).magnitude <= .pi)
        #expect(Heading.wrapped(.nan).isNaN)
        #expect(Heading.wrapped(.infinity) == .infinity)
    }

    @Test func `degrees are for people`() {
        #expect(Heading.radians(degrees: 180) == .pi)
        #expect(Heading.degrees(radians: -.pi / 2) == -90)
    }
}

@Suite struct Vectors {
    @Test func `vectors add, stretch and multiply`() {
        let (x, y, z) = (Vector3(x: 1, y: 0, z: 0), Vector3(x: 0, y: 1, z: 0), Vector3(x: 0, y: 0, z: 1))
        #expect(x.cross(y) == z)
        #expect(y.cross(x) == z * -1)
        #expect(x.dot(y) == 0)
        #expect((x + y * 2 - z).dot(Vector3(x: 1, y: 10, z: 100)) == -79)
        #expect(Vector3(x: 2, y: 3, z: 6).length == 7)
        #expect(Vector3.zero.isFinite)
        #expect(!Vector3(x: 0, y: 0, z: .infinity).isFinite)
    }
}

@Suite struct `Telemetry values` {
    @Test func `only the newest messages are kept`() {
        var telemetry = Telemetry(vehicle: "uav1")
        for index in 0..<40 {
            let message = VehicleMessage(severity: .warning, text: "\(index)")
            telemetry.append(Sample(message, at: MonotonicTime(nanoseconds: Int64(index))))
        }
        #expect(telemetry.messages.map(\.value.text) == (24..<40).map(String.init))
    }

    @Test func `the newest part tells the age`() {
        var telemetry = Telemetry(vehicle: "uav1")
        #expect(telemetry.newest == nil)
        telemetry.heightAboveGroundMetres = Sample(1, at: MonotonicTime(nanoseconds: 7))
        telemetry.battery = Sample(Battery(voltageVolts: 22), at: MonotonicTime(nanoseconds: 5))
        #expect(telemetry.newest == MonotonicTime(nanoseconds: 7))
        #expect(telemetry.battery?.age(now: MonotonicTime(nanoseconds: 12)) == .nanoseconds(7))
    }

    @Test func `each part that a vehicle sends tells the age`() {
        func newest(_ set: (inout Telemetry, MonotonicTime) -> Void) -> Int64? {
            var telemetry = Telemetry(vehicle: "uav1")
            telemetry.heightAboveGroundMetres = Sample(1, at: MonotonicTime(nanoseconds: 7))
            set(&telemetry, MonotonicTime(nanoseconds: 9))
            return telemetry.newest?.nanoseconds
        }
        #expect(newest { $0.velocityMetresPerSecond = Sample(Vector3(x: 0, y: 0, z: 0), at: $1) } == 9)
        #expect(newest { $0.battery = Sample(Battery(), at: $1) } == 9)
        #expect(newest { $0.estimator = Sample(EstimatorStatus(name: "x"), at: $1) } == 9)
        // The range finder and the rates do not count.
        #expect(newest { $0.rangeFinderMetres = Sample(1, at: $1) } == 7)
        #expect(newest { $0.topicRates = Sample([], at: $1) } == 7)
    }

    @Test func `flight states have words of their own`() {
        #expect(Set(FlightState.allCases.map(\.word)).count == FlightState.allCases.count)
        #expect(FlightState.allCases.filter(\.isAirborne) == [.takingOff, .flying, .landing, .emergency])
    }
}
