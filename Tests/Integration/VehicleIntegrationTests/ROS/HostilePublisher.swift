import IntegrationKit

extension HostilePeerTests {
    /// A publisher and service provider of one's own making, registered with the master.
    static let impostor = """
        import socket, struct, sys, threading, time, xmlrpc.client, xmlrpc.server
        mode = sys.argv[2]
        master = xmlrpc.client.ServerProxy(sys.argv[1])
        listener = socket.create_server(('127.0.0.1', 0))
        port = listener.getsockname()[1]
        def header(**fields):
            data = b''.join(struct.pack('<I', len(f)) + f for f in (('%s=%s' % p).encode() for p in fields.items()))
            return struct.pack('<I', len(data)) + data
        text_sum, switch_sum = '992ce8a1687cec8c8bd883ec73ca41d1', '09fb03525b03e7ea1fd3992bafd87e16'
        def word(text):
            return struct.pack('<I', len(text)) + text
        connections = []
        def serve():
            while True:
                s = listener.accept()[0]
                connections.append(s)
                size = struct.unpack('<I', s.recv(4, socket.MSG_WAITALL))[0]
                asked = s.recv(size, socket.MSG_WAITALL)
                print('asked', asked, flush=True)
                service = b'service=' in asked
                sum = switch_sum if service else text_sum
                good = header(callerid='/impostor', md5sum=sum, type='x/Y')
                if mode == 'silent':
                    continue
                if mode == 'wrong-sum':
                    s.sendall(header(callerid='/impostor', md5sum='0' * 32, type='other/Type'))
                    continue
                if mode == 'error':
                    s.sendall(header(error='go\\x1b[31m away'))
                elif mode == 'huge-header':
                    s.sendall(struct.pack('<I', 0xFFFFFFF0))
                elif mode == 'huge-message':
                    s.sendall(good + (b'\\1' if service else b'') + struct.pack('<I', 0xFFFFFFF0) + b'x' * 100)
                elif mode == 'cut':
                    s.sendall(good + (b'\\1' if service else b'') + struct.pack('<I', 100) + b'x' * 10)
                    s.shutdown(socket.SHUT_WR)
                    continue
                elif mode == 'hang-up':
                    time.sleep(0.2)
                elif mode == 'bytewise':
                    data = good + (b'\\1' + word(b'\\1' + word(b'slow')) if service else word(word(b'slow')))
                    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    for byte in data:
                        s.sendall(bytes([byte]))
                    continue
                elif mode == 'broken-text':
                    # A string longer than its message; then a good one.
                    if service:
                        s.sendall(good + b'\\1' + word(b'\\1' + struct.pack('<I', 99) + b'x'))
                    else:
                        s.sendall(good + word(struct.pack('<I', 99) + b'x') + word(word(b'good')))
                    continue
                s.close()
        threading.Thread(target=serve, daemon=True).start()
        api = xmlrpc.server.SimpleXMLRPCServer(('127.0.0.1', 0), logRequests=False)
        own = 'http://127.0.0.1:%d/' % api.server_address[1]
        api.register_function(lambda *a: [1, '', ['TCPROS', '127.0.0.1', port]], 'requestTopic')
        master.registerPublisher('/impostor', '/impostor_says', 'std_msgs/String', own)
        master.registerService('/impostor', '/impostor_switch', 'rosrpc://127.0.0.1:%d' % port, own)
        print('ready', flush=True)
        api.serve_forever()
        """
}
