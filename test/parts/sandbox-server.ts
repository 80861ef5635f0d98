/**
 * Tells what it was asked, takes uploads, and sends back what comes over a WebSocket; the address and the port that it listens at
 * are its arguments.
 */
export const SANDBOX_SERVER = `
import asyncio, base64, hashlib, json, sys

async def serve(reader, writer):
    try:
        head = (await reader.readuntil(b'\\r\\n\\r\\n')).decode('latin1').split('\\r\\n')
        method, path, _ = head[0].split(' ')
        headers = {k.lower(): v for k, v in (line.split(': ', 1) for line in head[1:] if line)}
        if headers.get('upgrade', '').lower() == 'websocket':
            accept = hashlib.sha1((headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').encode()).digest()
            writer.write(b'HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: ' + base64.b64encode(accept) + b'\\r\\n\\r\\n')
            while True:
                first, second = await reader.readexactly(2)
                size = second & 127
                if size == 126: size = int.from_bytes(await reader.readexactly(2), 'big')
                mask = await reader.readexactly(4)
                body = bytes(b ^ mask[i % 4] for i, b in enumerate(await reader.readexactly(size)))
                if first & 15 == 8: break
                writer.write(bytes([0x81, len(body)]) + body)
        elif path == '/big':
            writer.write(b'HTTP/1.1 200 OK\\r\\nContent-Length: 20000000\\r\\n\\r\\n')
            for _ in range(200):
                writer.write(b'x' * 100000)
                await writer.drain()
        elif path == '/away':
            writer.write(b'HTTP/1.1 302 Found\\r\\nLocation: http://localhost:8000/in?a=b\\r\\nSet-Cookie: a=1; Domain=localhost\\r\\nContent-Length: 0\\r\\n\\r\\n')
        else:
            size = int(headers.get('content-length', 0))
            body = await reader.readexactly(size)
            answer = json.dumps({'method': method, 'path': path, 'headers': headers, 'sum': sum(body), 'size': len(body)}).encode()
            writer.write(b'HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(answer) + answer)
        await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    writer.close()

async def main():
    server = await asyncio.start_server(serve, sys.argv[1], int(sys.argv[2]))
    await server.serve_forever()

asyncio.run(main())
`
