import { FRAME, MAX_CONTENT, UNKNOWN_NAME, WINDOW } from './frames.ts'

/**
 * Runs in our own image, in the network namespace of a sandbox, and connects to what listens there, on whatever address, and
 * to what may be reached from there. It ends with its input.
 */
export const RELAY_PROGRAM = `
import asyncio, errno, socket, struct, sys

OPEN, OPENED, FAILED, DATA, END, RESET, TAKEN = ${[FRAME.open, FRAME.opened, FRAME.failed, FRAME.data, FRAME.end, FRAME.reset, FRAME.taken].join(', ')}
HEAD = struct.Struct('>BII')
CONNECT_SECONDS = 10
connections = {}

async def addresses_of(name, port):
    found = await asyncio.get_running_loop().getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(address[0] for _, _, _, _, address in found))

class Connection:
    def __init__(self, number, send):
        self.number, self.send = number, send
        self.credit = ${WINDOW}
        self.more = asyncio.Event()
        self.incoming = asyncio.Queue()
        self.task = None

    async def connect(self, port, addresses):
        failure = OSError(errno.ECONNREFUSED, '')
        for name in addresses:
            try:
                for address in await asyncio.wait_for(addresses_of(name, port), CONNECT_SECONDS):
                    try:
                        return await asyncio.wait_for(asyncio.open_connection(address, port), CONNECT_SECONDS)
                    except asyncio.TimeoutError:
                        failure = OSError(errno.ETIMEDOUT, '')
                    except OSError as error:
                        failure = error
            except (asyncio.TimeoutError, UnicodeError):
                # The latter for what is no name: a part of it is empty or too long.
                failure = socket.gaierror()
            except OSError as error:
                failure = error
        raise failure

    async def run(self, port, addresses):
        writer = None
        try:
            try:
                reader, writer = await self.connect(port, addresses)
            except OSError as error:
                unknown = isinstance(error, socket.gaierror)
                name = '${UNKNOWN_NAME}' if unknown else errno.errorcode.get(error.errno, 'EIO')
                return await self.send(FAILED, self.number, name.encode())
            await self.send(OPENED, self.number)
            both = [asyncio.ensure_future(way) for way in (self.down(reader), self.up(writer))]
            try:
                await asyncio.gather(*both)
            except OSError:
                await self.send(RESET, self.number)
            finally:
                for way in both:
                    way.cancel()
        finally:
            connections.pop(self.number, None)
            if writer:
                writer.transport.abort()

    async def down(self, reader):
        while True:
            while self.credit <= 0:
                self.more.clear()
                await self.more.wait()
            data = await reader.read(min(self.credit, ${MAX_CONTENT}))
            if not data:
                return await self.send(END, self.number)
            self.credit -= len(data)
            await self.send(DATA, self.number, data)

    async def up(self, writer):
        while True:
            data = await self.incoming.get()
            if data is None:
                writer.write_eof()
                return await writer.drain()
            writer.write(data)
            await writer.drain()
            await self.send(TAKEN, self.number, struct.pack('>I', len(data)))

def receive(kind, number, content, send):
    connection = connections.get(number)
    if kind == OPEN:
        port, *addresses = content.decode().split(' ')
        connection = connections[number] = Connection(number, send)
        connection.task = asyncio.ensure_future(connection.run(int(port), addresses))
    elif connection is None:
        pass
    elif kind == DATA:
        connection.incoming.put_nowait(content)
    elif kind == END:
        connection.incoming.put_nowait(None)
    elif kind == TAKEN:
        connection.credit += struct.unpack('>I', content)[0]
        connection.more.set()
    elif kind == RESET:
        connection.task.cancel()

async def main():
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sys.stdout)
    output = asyncio.StreamWriter(transport, protocol, None, loop)
    turn = asyncio.Lock()

    async def send(kind, number, content=b''):
        async with turn:
            output.write(HEAD.pack(kind, number, len(content)) + content)
            await output.drain()

    try:
        while True:
            kind, number, length = HEAD.unpack(await reader.readexactly(HEAD.size))
            receive(kind, number, await reader.readexactly(length), send)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass

asyncio.run(main())
`
