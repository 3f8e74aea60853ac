extension HostilePeerTests {
    /// Speaks to our node's ports: finds them as every node does, then does its worst.
    static let attacker = """
        import socket, struct, sys, time, xmlrpc.client
        master = xmlrpc.client.ServerProxy(sys.argv[1])
        slave = master.lookupNode('/attacker', '/swift')[2]
        topic = xmlrpc.client.ServerProxy(slave).requestTopic('/attacker', '/swift_says', [['TCPROS']])[2]
        service = master.lookupService('/attacker', '/switch')[2][len('rosrpc://'):].split(':')
        def header(**fields):
            data = b''.join(struct.pack('<I', len(f)) + f for f in (('%s=%s' % p).encode() for p in fields.items()))
            return struct.pack('<I', len(data)) + data
        def talk(where, data, close=False):
            s = socket.create_connection(where, timeout=float(sys.argv[2]))
            s.sendall(data)
            if close:
                s.close()
                return b''
            answer = b''
            try:
                while True:
                    part = s.recv(65536)
                    if not part:
                        break
                    answer += part
            except socket.timeout:
                answer += b' (still open)'
            except ConnectionError:
                pass
            s.close()
            return answer
        tcpros = (topic[1], topic[2])
        web = slave[len('http://'):].strip('/').split(':')
        web = (web[0], int(web[1]))
        bad = '0' * 32
        good = '09fb03525b03e7ea1fd3992bafd87e16'
        print('topic', talk(tcpros, header(callerid='/a', topic='/swift_says', type='std_msgs/String', md5sum=bad)))
        print('unknown', talk(tcpros, header(callerid='/a', topic='/nothing', type='*', md5sum='*')))
        print('neither', talk(tcpros, header(callerid='/a')))
        print('service', talk(tcpros, header(callerid='/a', service='/switch', md5sum=bad)))
        print('nosum', talk(tcpros, header(callerid='/a', service='/switch')))
        print('probe', talk(tcpros, header(callerid='/a', service='/switch', md5sum='*', probe='1')))
        print('short', talk(tcpros, header(callerid='/a', service='/switch', md5sum='*') + struct.pack('<I', 0)))
        print('long', talk(tcpros, header(callerid='/a', service='/switch', md5sum=good) + struct.pack('<I', 0xFFFFFFFF)))
        print('trailing', talk(tcpros, header(callerid='/a', service='/switch', md5sum=good) + struct.pack('<I', 3) + b'\\1ab'))
        print('hugeheader', talk(tcpros, struct.pack('<I', 0x7FFFFFFF)))
        print('garbage', talk(tcpros, b'GET / HTTP/1.1\\r\\n\\r\\n'))
        for cut in range(0, 40, 3):
            talk(tcpros, header(callerid='/a', service='/switch', md5sum=good)[:cut], close=True)
        idle = [socket.create_connection(tcpros) for _ in range(50)] + [socket.create_connection(web) for _ in range(50)]
        print('xml', talk(web, b'POST / HTTP/1.0\\r\\nContent-Length: 5\\r\\n\\r\\nhello'))
        print('get', talk(web, b'GET / HTTP/1.1\\r\\n\\r\\n'))
        print('notHTTP', talk(web, b'\\0\\1\\2\\r\\n\\r\\n'))
        print('method', talk(web, b'POST / HTTP/1.0\\r\\nContent-Length: 57\\r\\n\\r\\n<methodCall><methodName>doHarm</methodName></methodCall>  '))
        print('done', flush=True)
        time.sleep(1000)
        """
}
