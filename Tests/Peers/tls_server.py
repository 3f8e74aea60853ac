"""A server's end of TLS without a socket, of Python's ssl module: tls_server.py CERTIFICATE KEY

Lines of input are a word and bytes in hexadecimal digits: `take` gives it what the client has sent, `end` has it send these bytes
and, right behind them, that nothing more comes. Each answer is `sealed`, and what the server sends then.
"""

import ssl
import sys

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
received, sealed = ssl.MemoryBIO(), ssl.MemoryBIO()
server = context.wrap_bio(received, sealed, server_side=True)
for line in sys.stdin:
    word, digits = line.split()
    try:
        if word == "take":
            received.write(bytes.fromhex(digits))
            server.do_handshake()
        else:
            server.write(bytes.fromhex(digits))
            server.unwrap()
    except ssl.SSLWantReadError:
        pass
    sys.stdout.write(f"sealed {sealed.read().hex()}\n")
    sys.stdout.flush()
