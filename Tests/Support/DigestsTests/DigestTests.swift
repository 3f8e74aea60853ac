import Digests
import ReportKit
import Testing

private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

@Suite struct DigestTests {
    /// The examples of FIPS 180-4's companion, and a million times the letter a.
    @Test func `SHA-256 gives the published digests`() {
        #expect(
            hexadecimal(SHA256.of(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            hexadecimal(SHA256.of([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            hexadecimal(SHA256.of(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        #expect(
            hexadecimal(SHA256.of([UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `SHA-1 gives the published digests`() {
        #expect(hexadecimal(SHA1.of(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(
            hexadecimal(SHA1.of(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
    }

    /// RFC 2202 (cases 1, 2 and 6).
    @Test func `HMAC gives the published digests`() {
        #expect(
            hexadecimal(SHA1.authentication(of: Array("Hi There".utf8), key: [UInt8](repeating: 0x0b, count: 20)))
                == "b617318655057264e28bc0b6fb378c8ef146be00")
        #expect(
            hexadecimal(SHA1.authentication(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")
        #expect(
            hexadecimal(
                SHA1.authentication(
                    of: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                    key: [UInt8](repeating: 0xaa, count: 80))) == "aa4ae5e15272d00e95705637ce8a3b55ed402112")
    }

    @Test func `the digest does not depend on how the bytes are split`() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        for split in [1, 3, 55, 56, 63, 64, 65, 127, 128, 299] {
            var digest = SHA256()
            var rest = bytes[...]
            while !rest.isEmpty {
                digest.update(Array(rest.prefix(split)))
                rest = rest.dropFirst(split)
            }
            #expect(digest.finish() == SHA256.of(bytes), "split \(split)")
        }
        // Every length around the edges of a block is padded correctly: lengths differ, so must digests.
        #expect(Set((0...130).map { hexadecimal(SHA1.of(Array(bytes.prefix($0)))) }).count == 131)
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func `base 64 as in RFC 4648`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8), padded: true) == encoded)
        #expect(Base64.decode(encoded.utf8) == Array(text.utf8))
        let bare = Base64.encode(Array(text.utf8), padded: false)
        #expect(bare == encoded.filter { $0 != "=" })
        #expect(Base64.decode(bare.utf8) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg=", "Zg===", "Z g=", "Zh==", "Zm9=v", "Zm9v====", "Zm9v\n", "=", "Zm-v"])
    func `what is not base 64 is refused`(text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }
}
