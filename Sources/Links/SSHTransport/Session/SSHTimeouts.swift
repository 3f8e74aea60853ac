/// The timeouts and intervals of the SSH transport, with the reasons for their values.
enum SSHTimeouts {
    /// Keep-alive interval: half of the time after which common routers drop an idle connection (30 s in the strictest
    /// mobile networks).
    static let keepAliveSeconds: UInt32 = 15
    /// The connection counts as lost when data is unacknowledged for this long. TCP's default is about 15 minutes; a Wi-Fi
    /// roam takes up to about 5 s.
    static let lossTimeoutMilliseconds: Int32 = 20_000
    /// The timeout of a question to the user, who has to look up a fingerprint; servers disconnect after 120 s.
    static let userQuestionSeconds = 110
    /// The timeout for the disconnect message: one round trip on a poor link.
    static let farewell: Duration = .milliseconds(250)
    /// The timeout of the SSH agent, which may ask the user for a touch or a passphrase.
    static let agent: Duration = .seconds(20)
}
