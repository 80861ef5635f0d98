import type { NetworkPolicy } from '../../server/api/network-policy.ts'
import type { SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { answerQuestionsOf, gatewayOf, type Internet, startInternet } from '../parts/network/internet.ts'
import { startParts } from '../sandbox/parts.ts'
import { compare, interleave, type Row } from './process/measure.ts'

const DOWNLOAD_BYTES = 200 * 2 ** 20
const CONNECTIONS = 100
/** Without a pace the server, the client and the gateway share the processors of one machine, which no download does. */
const GIGABIT = '125M'

/** Prints the median time of a new connection with one request, in milliseconds. */
const CONNECT = `
import socket, statistics, sys, time
host, port, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
def one():
    begun = time.perf_counter()
    with socket.create_connection((host, port)) as s:
        s.sendall(b'GET / HTTP/1.1\\r\\nHost: ' + name.encode() + b'\\r\\nConnection: close\\r\\n\\r\\n')
        while s.recv(4096): pass
    return (time.perf_counter() - begun) * 1000
one()
print(statistics.median(one() for _ in range(${CONNECTIONS})))`

/** What the gateway of an allowlist costs, beside a sandbox that reaches the same server by itself. */
export default async function measure(): Promise<Row[]> {
  const internet = await startInternet({ downloadBytes: DOWNLOAD_BYTES })
  const parts = await startParts()
  const undo: (() => void)[] = []
  try {
    const open = async (policy: NetworkPolicy) =>
      parts.sandboxes.open((await parts.sandboxes.start(null, { policy })).id)
    const through = await open({ network: 'allowlist', allowlist: { presets: [], hosts: ['allowed.test'] } })
    const direct = await open({ network: 'full', allowlist: { presets: [], hosts: [] } })
    const gateway = await gatewayOf(parts.outside, parts.instanceId)
    undo.push(answerQuestionsOf(gateway.NetworkSettings.Networks.bridge?.IPAddress ?? '', internet))
    const download = (...pace: string[]) =>
      interleave(
        {
          atelier: () => downloadTime(through, 'allowed.test', internet, pace),
          bare: () => downloadTime(direct, internet.address, internet, pace),
        },
        { warmUps: 1, runs: 7 },
      )
    const paced = await download('--limit-rate', GIGABIT)
    const unpaced = await download()
    const connection = await interleave(
      {
        atelier: () => connectionTime(through, 'allowed.test', internet),
        bare: () => connectionTime(direct, internet.address, internet),
      },
      { warmUps: 1, runs: 7 },
    )
    return [
      compare('200 MB at 1 Gbit/s through the gateway', paced, { aim: { kind: 'ratio', atMost: 1.15 } }),
      compare('200 MB from this machine through the gateway', unpaced),
      compare('One connection and request through the gateway', connection, { aim: { kind: 'added', atMost: 2 } }),
    ]
  } finally {
    for (const each of undo) each()
    await parts.close()
    await internet.close()
  }
}

/** Milliseconds of a download over TLS. */
async function downloadTime(
  sandbox: SandboxHandle,
  host: string,
  { ports }: Internet,
  pace: readonly string[],
): Promise<number> {
  const url = `https://${host}:${ports.https}/download`
  const argv = ['curl', '-sSk', ...pace, '-o', '/dev/null', '-w', '%{size_download} %{time_total}', url]
  const { stdout } = await sandbox.exec({ argv, timeoutMs: 120_000 })
  const [bytes, seconds] = stdout.split(' ').map(Number)
  if (bytes !== DOWNLOAD_BYTES) throw new Error(`The download had ${bytes} bytes.`)
  return (seconds ?? Number.NaN) * 1000
}

async function connectionTime(sandbox: SandboxHandle, host: string, { ports }: Internet): Promise<number> {
  const argv = ['python3', '-c', CONNECT, host, String(ports.http), 'allowed.test']
  const { stdout, stderr } = await sandbox.exec({ argv, timeoutMs: 60_000 })
  const median = Number(stdout)
  if (!(median > 0)) throw new Error(`The connections failed: ${stderr}`)
  return median
}
