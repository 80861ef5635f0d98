import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ping } from '../../../build/engine/ping.mjs'

const START_MS = 60_000
const PING_MS = 5000
const LOOK_MS = 50

const SETTINGS = `
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`

/**
 * A Podman that nobody else uses, as root, with files and a network of its own: what it forwards to containers would otherwise hide
 * ports of this machine, also from those who get them later, when a run is killed. Needs root.
 */
export class PodmanEngine {
  /** In the form of DOCKER_HOST. */
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'atelier-podman-'))
  readonly #env: NodeJS.ProcessEnv
  #service: ChildProcess | undefined
  #network: ChildProcess | undefined

  constructor() {
    this.host = `unix://${this.#at('podman.sock')}`
    writeFileSync(this.#at('containers.conf'), SETTINGS)
    this.#env = { ...process.env, CONTAINERS_CONF: this.#at('containers.conf') }
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    this.#network ??= await ownNetwork()
    const [program = '', ...args] = this.#command('system', 'service', '--time=0', this.host)
    const service = spawn(program, args, { env: this.#env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    service.stderr.on('data', chunk => {
      said = `${said}${chunk}`.slice(-3000)
    })
    this.#service = service
    const deadline = Date.now() + START_MS
    while (!(await ping(this.host, PING_MS))) {
      if (service.exitCode !== null || Date.now() > deadline) throw new Error(`Podman did not start:\n${said}`)
      await delay(LOOK_MS)
    }
  }

  /** At once, as a crash would. Its containers go on. */
  async kill(): Promise<void> {
    const running = this.#service
    this.#service = undefined
    if (!running || running.exitCode !== null || running.signalCode) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }

  /** Ends its containers, and removes everything that it has. */
  async close(): Promise<void> {
    await this.kill()
    const [program = '', ...args] = this.#command('rm', '--all', '--force', '--time', '0')
    execFileSync(program, args, { env: this.#env, stdio: 'ignore' })
    this.#network?.kill('SIGKILL')
    for (const place of this.#mounted()) execFileSync('umount', [place])
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Innermost first. */
  #mounted(): string[] {
    const places = readFileSync('/proc/mounts', 'utf8').split('\n')
    return places
      .map(line => line.split(' ')[1] ?? '')
      .filter(place => place.startsWith(`${this.#folder}/`))
      .sort()
      .reverse()
  }

  #command(...args: string[]): string[] {
    const folders = { root: 'data', runroot: 'run', tmpdir: 'state', 'network-config-dir': 'networks' }
    const places = Object.entries(folders).flatMap(([option, name]) => [`--${option}`, this.#at(name)])
    return ['nsenter', `--net=/proc/${this.#network?.pid}/ns/net`, 'podman', ...places, ...args]
  }

  #at(name: string): string {
    return join(this.#folder, name)
  }
}

/** A process whose network is new, and stays for as long as it runs. */
async function ownNetwork(): Promise<ChildProcess> {
  const script = 'busybox ip link set lo up && echo ready && exec sleep infinity'
  const holder = spawn('unshare', ['--net', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(holder.stdout, 'data')
  return holder
}
