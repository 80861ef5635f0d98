import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser, ensureTestUser } from '../../../build/as-user.mjs'
import { endOfErrors, untilAnswering } from './answering.ts'
import { unmountUnder } from './unmount.ts'

const SETTINGS = `
[containers]
default_ulimits = ["nofile=20000:20000", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`

/** Chosen by itself only where nobody names the folder. */
const ROOTLESS_STORAGE = `
[storage]
driver = "overlay"
[storage.options.overlay]
mount_program = "/usr/bin/fuse-overlayfs"
`

/** Whose it is: root's, or a normal user's, whose containers run in a user namespace. */
export type PodmanKind = 'root' | 'rootless'

/**
 * A Podman that nobody else uses, with files and a network of its own: what it forwards to containers would otherwise hide ports of
 * this machine, also from those who get them later, when a run is killed. Needs root, also to be a normal user's.
 */
export class PodmanEngine {
  /** In the form of DOCKER_HOST. */
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'atelier-podman-'))
  readonly #isRootless: boolean
  #service: ChildProcess | undefined
  #network: ChildProcess | undefined

  constructor(kind: PodmanKind = 'root') {
    this.#isRootless = kind === 'rootless'
    this.host = `unix://${this.#at('podman.sock')}`
    writeFileSync(this.#at('containers.conf'), SETTINGS)
    writeFileSync(this.#at('storage.conf'), ROOTLESS_STORAGE)
    mkdirSync(this.#at('session'), { mode: 0o700 })
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    if (this.#isRootless) await this.#giveToUser()
    else this.#network ??= await ownNetwork()
    const { command, args, env } = this.#command('system', 'service', '--time=0', this.host)
    const service = spawn(command, args, { env, cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] })
    this.#service = service
    await untilAnswering(this.host, service, endOfErrors(service))
  }

  /** At once, as a crash would. Its containers go on. */
  async kill(): Promise<void> {
    const running = this.#service
    this.#service = undefined
    if (!running || running.exitCode !== null || running.signalCode) return
    const ended = once(running, 'exit')
    // Also behind the program that started it as another user.
    execFileSync('pkill', ['-KILL', '-f', `system service --time=0 ${this.host}$`])
    await ended
  }

  /** Ends its containers, and removes everything that it has. */
  async close(): Promise<void> {
    await this.kill()
    const { command, args, env } = this.#command('rm', '--all', '--force', '--time', '0')
    execFileSync(command, args, { env, cwd: this.#folder, stdio: 'ignore' })
    this.#network?.kill('SIGKILL')
    // What waits for others to ask of ended containers, and holds a user's namespace.
    spawnSync('pkill', ['-KILL', '-f', `${this.#folder}/`])
    unmountUnder(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #giveToUser(): Promise<void> {
    const { uid, gid } = await ensureTestUser()
    for (const name of ['', 'containers.conf', 'storage.conf', 'session']) chownSync(this.#at(name), uid, gid)
    // As udev has it where it runs; nothing depends on fewer rights.
    if ((statSync('/dev/net/tun').mode & 0o006) !== 0o006) chmodSync('/dev/net/tun', 0o666)
  }

  #command(...asked: string[]): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
    const folders = { root: 'data', runroot: 'run', tmpdir: 'state', 'network-config-dir': 'networks' }
    const places = Object.entries(folders).flatMap(([option, name]) => [`--${option}`, this.#at(name)])
    const all = [...places, ...asked]
    const settings = { CONTAINERS_CONF: this.#at('containers.conf') }
    if (this.#isRootless) {
      const session = {
        ...settings,
        CONTAINERS_STORAGE_CONF: this.#at('storage.conf'),
        XDG_RUNTIME_DIR: this.#at('session'),
        PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      }
      return { ...asUser('/usr/bin/podman', all, session), env: process.env }
    }
    const args = [`--net=/proc/${this.#network?.pid}/ns/net`, 'podman', ...all]
    return { command: 'nsenter', args, env: { ...process.env, ...settings } }
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
