import { BELOW, CONTROL, DNS_PORT, EXACT, FOLDER, PROXY_CONFIGURATION, SANDBOXES } from './configuration.ts'

/** A name looked up just before belongs to a connection that names no host. */
const LOOKED_UP_SECONDS = 2
const TELL_SECONDS = 0.1
/** HAProxy writes its line as it ends the connection. */
const LOGGED_SECONDS = 0.05
/** Of the different attempts of a sandbox in that time; others are left out. */
const MAX_TOLD = 50

/**
 * Runs in our own image, as a user without rights: keeps HAProxy and dnsmasq going, hands them what the
 * service says, and reports what sandboxes tried to reach. `$1` is its address.
 *
 * A line of its input is `{"number", "sandboxes", "exact", "below", "hosts", "end"}`, always everything, but for `end`: the
 * addresses of sandboxes whose connections are ended; or `{"number", "flush": true}`, for every attempt up to now. A line of its output is `{"ready": true}`, `{"done": number}`,
 * `{"failed": number, "reason"}` or `{"attempt": [sandbox, name, port, verdict, count]}`. Lines fit into one write of a pipe: they come
 * whole or, where nobody reads, not at all. It goes on when its input ends: the sandboxes do too.
 */
const GATEWAY_PROGRAM = `
import asyncio, json, os, re, signal, socket, sys, time

os.umask(0o077)
NAME = re.compile(r'^[a-z0-9_][a-z0-9_.-]{0,252}$')
ATTEMPT = re.compile(r'^attempt (\\S+) (\\S+) (\\S+) (\\S+) (\\S+) (\\S+) (\\S+) (.*)$')
QUERY = re.compile(r'query\\[[A-Z0-9]+\\] (\\S+) from (\\S+)$')
looked_up = {}
attempts = {}
os.set_blocking(1, False)

def tell(**line):
    try:
        os.write(1, (json.dumps(line) + '\\n').encode())
    except OSError:
        pass

def control(command):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(5)
        s.connect('${CONTROL}')
        s.sendall(command.encode() + b'\\n')
        said = b''
        while True:
            more = s.recv(65536)
            if not more: return said.decode().strip()
            said += more

def replace(path, entries):
    version = re.search(r'created: (\\d+)', control('prepare map ' + path)).group(1)
    for at in range(0, len(entries), 20):
        lines = ''.join(key + ' ' + value + '\\n' for key, value in entries[at:at + 20])
        problem = control('add map @' + version + ' ' + path + ' <<\\n' + lines)
        if problem: raise OSError(problem)
    problem = control('commit map @' + version + ' ' + path)
    if problem: raise OSError(problem)

def end_connections(addresses):
    for line in control('show sess').splitlines():
        found = re.match(r'(0x[0-9a-f]+): proto=\\S+ src=([0-9.]+):', line)
        if found and found.group(2) in addresses: control('shutdown session ' + found.group(1))

def write_hosts(hosts):
    with open('${FOLDER}/hosts.new', 'w') as file:
        file.writelines(address + ' ' + name + '\\n' for name, address in hosts)
    os.rename('${FOLDER}/hosts.new', '${FOLDER}/hosts')

def take(told, dns):
    replace('${EXACT}', [[key, '1'] for key in told['exact']])
    replace('${BELOW}', [[key, '1'] for key in told['below']])
    replace('${SANDBOXES}', told['sandboxes'])
    write_hosts(told['hosts'])
    dns.send_signal(signal.SIGHUP)
    if told['end']: end_connections(set(told['end']))

def attempted(line):
    found = ATTEMPT.match(line)
    if not found: return
    sandbox, address, port, ended, allowed, resolved, backend, name = found.groups()
    # What has turned out to be HTTP is judged, and told of, for each of its requests.
    if backend == 'http' or sandbox == '-': return
    name = json.loads('"' + name + '"') if name != '-' else None
    if name is None:
        known, at = looked_up.get(address, (None, 0))
        if time.monotonic() - at < ${LOOKED_UP_SECONDS}: name = known
    if allowed == '-': verdict = 'refused'
    elif resolved == '-' or ended[0] in 'Ss': verdict = 'failed'
    else: verdict = 'allowed'
    key = (sandbox, name, int(port) if port.isdigit() else 0, verdict)
    if key in attempts or sum(each[0] == sandbox for each in attempts) < ${MAX_TOLD}: attempts[key] = attempts.get(key, 0) + 1

def asked(line):
    found = QUERY.search(line)
    if not found or not NAME.match(found.group(1).lower()): return
    if len(looked_up) > 1000: looked_up.clear()
    looked_up[found.group(2)] = (found.group(1).lower(), time.monotonic())

async def lines_of(stream, take_line):
    while True:
        try:
            line = await stream.readline()
        except ValueError:
            continue
        if not line: return
        take_line(line.decode('utf-8', 'replace').rstrip('\\n'))

def tell_attempts():
    told = dict(attempts)
    attempts.clear()
    for (sandbox, name, port, verdict), count in told.items(): tell(attempt=[sandbox, name, port, verdict, count])

async def keep_telling():
    while True:
        await asyncio.sleep(${TELL_SECONDS})
        tell_attempts()

async def flush(number):
    await asyncio.sleep(${LOGGED_SECONDS})
    tell_attempts()
    tell(done=number)

async def is_up():
    for _ in range(200):
        try:
            return control('show info') != ''
        except OSError:
            await asyncio.sleep(0.05)
    raise SystemExit('HAProxy did not start')

async def main():
    for path in ('${SANDBOXES}', '${EXACT}', '${BELOW}', '${FOLDER}/hosts'): open(path, 'w').close()
    with open('${FOLDER}/haproxy.cfg', 'w') as file: file.write(sys.argv[2])
    pipe = asyncio.subprocess.PIPE
    null = asyncio.subprocess.DEVNULL
    proxy = await asyncio.create_subprocess_exec('haproxy', '-db', '-f', '${FOLDER}/haproxy.cfg', stdin=null, stdout=pipe)
    dns = await asyncio.create_subprocess_exec('dnsmasq', '-k', '--conf-file=/dev/null', '--user=', '--pid-file=',
        '--port=${DNS_PORT}', '--no-resolv', '--no-hosts', '--local=/#/', '--address=/#/' + sys.argv[1],
        '--addn-hosts=${FOLDER}/hosts', '--log-queries', '--log-facility=-', stdin=null, stdout=null, stderr=pipe)
    asyncio.ensure_future(lines_of(proxy.stdout, attempted))
    asyncio.ensure_future(lines_of(dns.stderr, asked))
    asyncio.ensure_future(keep_telling())
    reader = asyncio.StreamReader(limit=2 ** 24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await is_up()
    tell(ready=True)
    def told(line):
        number = 0
        try:
            state = json.loads(line)
            number = state['number']
            if state.get('flush'): return asyncio.ensure_future(flush(number))
            take(state, dns)
            tell(done=number)
        except Exception as error:
            tell(failed=number, reason=str(error)[:1000])
    asyncio.ensure_future(lines_of(reader, told))
    ended = [asyncio.ensure_future(each.wait()) for each in (proxy, dns)]
    await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
    for each in (proxy, dns):
        if each.returncode is None: each.kill()
    raise SystemExit('HAProxy or dnsmasq ended')

asyncio.run(main())
`

/** @param address of the container on the bridge */
export function gatewayCommand(address: string): string[] {
  return ['python3', '-IBc', GATEWAY_PROGRAM, address, PROXY_CONFIGURATION]
}
