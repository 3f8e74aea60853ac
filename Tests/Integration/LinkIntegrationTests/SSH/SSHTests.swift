import IntegrationKit
import Testing

/// Everything against a real `sshd`, one test after the other: each has its own server, keys and processes, and many
/// at once would measure the machine instead of the deadlines.
@Suite(.serialized, .enabled(if: SSHServer.isAvailable, "sshd is not installed")) enum SSHTests {}
