import Testing

@testable import Zenoh

@Suite struct KeyExpressionTests {
    @Test(arguments: ["a", "a/b", "*", "**", "a/**/b", "*/**", "a$*b/c", "@ros2_lv/0/**", "0/%uav1/RIHS01_ab", "$*a$*"])
    func `valid keys`(key: String) throws { try KeyExpression.check(key) }

    @Test(arguments: [
        "", "/a", "a/", "a//b", "a#", "a?b", "a*", "*a", "$*", "a$", "a$b", "$*$*", "a/***", "**/**", "**/*",
    ])
    func `invalid keys are refused with a reason`(key: String) {
        let error = #expect(throws: ZenohError.self) { try KeyExpression.check(key) }
        #expect(error?.code == .invalidKey)
    }

    @Test func `the longest key, and one byte more`() throws {
        try KeyExpression.check(String(repeating: "a", count: KeyExpression.maximumBytes))
        #expect(throws: ZenohError.self) {
            try KeyExpression.check(String(repeating: "a", count: KeyExpression.maximumBytes + 1))
        }
    }

    @Test(arguments: [
        ("a/b", "a/b", true), ("a/b", "a/c", false), ("a/*", "a/b", true), ("a/*", "a/b/c", false), ("a/*", "a", false),
        ("a/**", "a", true), ("a/**", "a/b/c", true), ("**", "a/b", true), ("**/c", "a/b/c", true), ("**/c", "c", true),
        ("a/**/c", "a/c", true), ("a/**/c", "a/b/d", false), ("a/**/c/**/e", "a/x/c/c/y/e", true),
        ("*/b", "a/*", true), ("a/**", "**/b", true), ("a/b/**", "a/c/**", false), ("a$*/b", "abc/b", true),
        ("a$*c", "abd", false), ("$*b$*", "abc", true), ("a$*", "$*b", true), ("a$*", "b$*", false),
        ("**", "@a/b", false), ("@a/**", "@a/b", true), ("@a/**", "@a/@b", false), ("*", "@a", false),
        ("@ros2_lv/0/**", "@ros2_lv/0/z/1/1/NN/%/%/node", true), ("a/**", "a/b/@c", false),
    ])
    func `which keys meet`(left: String, right: String, expected: Bool) {
        #expect(KeyExpression.intersect(left, right) == expected)
        #expect(KeyExpression.intersect(right, left) == expected)
    }

    @Test func `a hostile key costs little`() {
        let hostile = Array(repeating: "**/a", count: 500).joined(separator: "/")
        #expect(!KeyExpression.intersect("**/b/**/c", hostile + "/d"))
        #expect(!KeyExpression.intersect("x$*x$*x$*y", String(repeating: "x", count: 20_000)))
    }

    @Test func `the key of an alias and its text are compared without being joined`() {
        let bytes = wire("'/b/c'")
        let key = InboundKey(prefix: "a", suffix: 0..<4)
        #expect(key.text(in: bytes) == "a/b/c" && key.isEqual(to: "a/b/c", in: bytes))
        #expect(!key.isEqual(to: "a/b/d", in: bytes) && !key.isEqual(to: "a/b/cc", in: bytes))
        #expect(InboundKey(prefix: "a/b/c", suffix: 0..<0).isEqual(to: "a/b/c", in: bytes))
        #expect(!key.isWild(in: bytes) && InboundKey(prefix: "a/*", suffix: 0..<0).isWild(in: bytes))
    }
}
