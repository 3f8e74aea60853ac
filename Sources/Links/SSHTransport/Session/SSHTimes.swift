/// Every time of the SSH transport, with the reason for its value.
enum SSHTimes {
    /// The longest our side goes without sending: half of what common routers forget a connection after (30 s for the
    /// strictest mobile networks).
    static let keepAliveSeconds: UInt32 = 15
    /// Bytes that go unacknowledged for so long mean that the connection is lost. TCP alone would try for 15 minutes;
    /// a Wi-Fi roam takes up to some 5 s.
    static let silenceMilliseconds: Int32 = 20_000
    /// A person who is asked whether a host key is right needs to find the fingerprint; servers hang up after 120 s.
    static let personSeconds = 110
    /// The farewell to the server is worth one round trip on a poor link, not more.
    static let farewell: Duration = .milliseconds(250)
    /// The local key agent answers from memory; one that asks a person (a touch, a passphrase) needs longer.
    static let agent: Duration = .seconds(20)
}
