import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Docker from 'dockerode'
import { addAddress } from './reach.ts'

/** Routed in the internet, but not from here: this machine is given it. Each of the workers that test at the same time has its own. */
const ADDRESS = `11.213.214.${1 + (Number(process.env.VITEST_POOL_ID ?? 0) % 250)}`

/** Servers that sandboxes see as the internet, at every name below `.test`. */
export interface Internet {
  address: string
  ports: { http: number; https: number; tcp: number }
  /** The Host, or server name, of each request that came. */
  asked: string[]
  /** Questions that came to the nameserver. */
  questions: string[]
  close(): Promise<void>
}

/** @param downloadBytes of `/download` */
export async function startInternet({ downloadBytes = 0 } = {}): Promise<Internet> {
  const undo = addAddress(ADDRESS)
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const answer: Parameters<typeof createHttp>[1] = (request, response) => {
    asked.push(String(request.headers.host))
    if (request.url !== '/download') return void response.end(`hello from ${request.headers.host}\n`)
    response.setHeader('content-length', downloadBytes)
    const block = Buffer.alloc(1024 * 1024)
    const send = (left: number): void => {
      if (left <= 0) return void response.end()
      response.write(block.subarray(0, left), () => send(left - block.length))
    }
    send(downloadBytes)
  }
  const http = createHttp(answer)
  const https = createHttps(certificate(), answer)
  // It speaks first, as SSH and mail servers do.
  const tcp = createServer(socket => void socket.on('error', () => {}).write('hello\n'))
  for (const server of [http, https, tcp]) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
  }
  https.on('secureConnection', socket => asked.push(String(socket.servername)))
  const [httpPort, httpsPort, tcpPort] = await Promise.all([listen(http), listen(https), listen(tcp)])
  const questions: string[] = []
  const dns = createSocket('udp4')
  dns.on('message', (question, from) => {
    questions.push(nameIn(question))
    dns.send(answerOf(question), from.port, from.address)
  })
  await new Promise<void>(resolve => dns.bind(53, ADDRESS, resolve))
  return {
    address: ADDRESS,
    ports: { http: httpPort, https: httpsPort, tcp: tcpPort },
    asked,
    questions,
    close: async () => {
      dns.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all([http, https, tcp].map(server => new Promise(resolve => server.close(resolve))))
      undo()
    },
  }
}

/** The container through which sandboxes of this service reach an allowlist. */
export async function gatewayOf(docker: Docker, instanceId: string): Promise<Docker.ContainerInspectInfo> {
  const label = [`dev.atelier.instance=${instanceId}`, 'dev.atelier.sandbox']
  for (const { Id } of await docker.listContainers({ filters: { label } })) {
    const info = await docker.getContainer(Id).inspect()
    if (info.HostConfig.Tmpfs) return info
  }
  throw new Error('There is no gateway.')
}

/** Questions of a container to whatever nameserver go to ours. @returns what undoes it */
export function answerQuestionsOf(address: string, { address: to }: Pick<Internet, 'address'>): () => void {
  const rule = ['PREROUTING', '-s', address, '-p', 'udp', '--dport', '53', '-j', 'DNAT', '--to-destination', to]
  execFileSync('iptables', ['-w', '-t', 'nat', '-I', ...rule])
  return () => execFileSync('iptables', ['-w', '-t', 'nat', '-D', ...rule])
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, ADDRESS, resolve))
  return (server.address() as AddressInfo).port
}

function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-internet-'))
  try {
    const [key, cert] = [join(folder, 'key'), join(folder, 'cert')]
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
    execFileSync('openssl', [...made, '-subj', '/CN=internet', '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { key: readFileSync(key), cert: readFileSync(cert) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const HEADER = 12
const TYPE_A = 1
/** https://www.rfc-editor.org/rfc/rfc1035#section-4.1.1: a response, recursion available; the name does not exist. */
const FOUND = 0x8180
const NOT_FOUND = 0x8183

function nameIn(question: Buffer): string {
  const labels: string[] = []
  for (let at = HEADER; (question[at] ?? 0) > 0; at += (question[at] ?? 0) + 1) {
    labels.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)))
  }
  return labels.join('.').toLowerCase()
}

/** `.test` is here, what begins with `private` at a private address, and nothing else is known. */
function answerOf(question: Buffer): Buffer {
  const name = nameIn(question)
  const end = HEADER + name.length + 2
  const asked = question.subarray(HEADER, end + 4)
  const isKnown = name.endsWith('.test') && name !== 'unknown.test'
  const isAddress = isKnown && question.readUInt16BE(end) === TYPE_A
  const header = Buffer.alloc(HEADER)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(isKnown ? FOUND : NOT_FOUND, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(isAddress ? 1 : 0, 6)
  if (!isAddress) return Buffer.concat([header, asked])
  const address = name.startsWith('private') ? '10.9.8.7' : ADDRESS
  // A pointer to the name, type A, class IN, a minute, four bytes.
  const record = Buffer.from([0xc0, HEADER, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])
  return Buffer.concat([header, asked, record])
}
