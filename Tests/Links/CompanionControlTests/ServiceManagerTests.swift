import Testing

@testable import CompanionControl

@Suite struct ServiceManagerTests {
    @Test(arguments: [
        (["WATCHDOG_USEC": "5000000"], Duration.seconds(5)),
        (["WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "7"], .seconds(5)),
        (["WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "8"], nil),
        (["WATCHDOG_USEC": "5000000", "WATCHDOG_PID": "seven"], nil),
        (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "-5"], nil), (["WATCHDOG_USEC": "5 s"], nil),
        (["WATCHDOG_USEC": "9223372036854775807"], nil), ([:], nil),
    ])
    func `the watchdog's period is for this process only`(environment: [String: String], period: Duration?) {
        #expect(ServiceManager.watchdogPeriod(environment, process: 7) == period)
    }

    @Test(arguments: ["", "@", "run/notify", "vsock:2:1234", "/" + String(repeating: "x", count: 200)])
    func `where no socket is named nothing is sent`(socket: String) {
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": socket], process: 7) == nil)
        #expect(ServiceManager(environment: [:], process: 7) == nil)
    }
}
