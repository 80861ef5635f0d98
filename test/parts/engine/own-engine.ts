import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { untilAnswering } from './answering.ts'
import { unmountUnder } from './unmount.ts'

/** Sets up the loopback device of a network that is new, and becomes the command. */
const IN_OWN_NETWORK = ['unshare', '--net', 'sh', '-c', 'busybox ip link set lo up; exec "$@"', 'sh']

/** Of control groups of the first and of the second version. */
const FREEZERS = [
  {
    file: (group: string) => join('/sys/fs/cgroup/freezer', group, 'freezer.state'),
    words: { frozen: 'FROZEN', thawed: 'THAWED' },
  },
  { file: (group: string) => join('/sys/fs/cgroup', group, 'cgroup.freeze'), words: { frozen: '1', thawed: '0' } },
]

export interface OwnEngineOptions {
  /** For its data, sockets and log. */
  folder: string
  /**
   * Beside another engine it needs a network of its own, so that its bridge and its rules never meet those of the other;
   * then nobody outside reaches the ports of its containers.
   */
  hasOwnNetwork: boolean
  /** The parent of its containers' control groups; the name of the folder, if nothing else. */
  controlGroup?: string | undefined
  /** Root of its containers is a user without rights of this machine. */
  remapsUsers?: boolean
  /** By their names, beside runc. */
  runtimes?: Readonly<Record<string, { path: string; runtimeArgs: readonly string[] }>>
}

/** A Docker engine that nobody else uses, so that it may be killed and frozen. Needs root. */
export class OwnEngine {
  /** In the form of DOCKER_HOST. */
  readonly host: string
  readonly #folder: string
  readonly #run: string
  readonly #controlGroup: string
  readonly #remapsUsers: boolean
  readonly #runtimes: OwnEngineOptions['runtimes']
  readonly #command: readonly string[]
  #process: ChildProcess | undefined

  constructor({
    folder,
    hasOwnNetwork,
    controlGroup = basename(folder),
    remapsUsers = false,
    runtimes = {},
  }: OwnEngineOptions) {
    this.#folder = folder
    this.#controlGroup = controlGroup
    this.#remapsUsers = remapsUsers
    this.#runtimes = runtimes
    this.#run = join(folder, 'run')
    this.host = `unix://${join(this.#run, 'docker.sock')}`
    this.#command = [
      ...(hasOwnNetwork ? IN_OWN_NETWORK : []),
      ...['dockerd', '-H', this.host, '--pidfile', join(this.#run, 'docker.pid')],
      ...['--data-root', join(folder, 'engine'), '--exec-root', join(this.#run, 'exec')],
      ...['--cgroup-parent', controlGroup],
      ...(remapsUsers ? ['--userns-remap', 'default'] : []),
      ...['--config-file', join(folder, 'daemon.json')],
    ]
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    mkdirSync(this.#run, { recursive: true })
    writeFileSync(join(this.#folder, 'daemon.json'), JSON.stringify({ runtimes: this.#runtimes }))
    // Root of its containers passes through it.
    if (this.#remapsUsers) chmodSync(this.#folder, 0o711)
    // After a crash the processes that these name are gone, and in a namespace of its own others have their numbers.
    for (const file of ['docker.pid', 'exec/containerd/containerd.pid']) rmSync(join(this.#run, file), { force: true })
    const log = openSync(this.#logFile, 'a')
    const [program = '', ...args] = this.#command
    const child = spawn(program, args, { stdio: ['ignore', log, log] })
    closeSync(log)
    this.#process = child
    await untilAnswering(this.host, child, () => readFileSync(this.#logFile, 'utf8'))
  }

  /** At once, as a crash would. Its containers go on until it is started again. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** It does nothing at all any more, but keeps its connections. */
  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Freezes the processes of a container, or lets them go on, past the engine. */
  freezeContainer(id: string, frozen: boolean): void {
    for (const { file, words } of FREEZERS) {
      const path = file(join(this.#controlGroup, id))
      if (existsSync(path)) writeFileSync(path, frozen ? words.frozen : words.thawed)
    }
  }

  /** Ends it with all its containers, and removes the folder. */
  async close(): Promise<void> {
    if (!this.#process) await this.start()
    this.thaw()
    for (const id of this.#containers()) this.freezeContainer(id, false)
    await this.#end('SIGTERM')
    unmountUnder(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Where users are remapped, its files are in a folder that is named by them. */
  #containers(): string[] {
    const data = join(this.#folder, 'engine')
    const names = this.#remapsUsers ? readdirSync(data).filter(name => /^\d+\.\d+$/.test(name)) : ['']
    return names.flatMap(name => readdirSync(join(data, name, 'containers')))
  }

  get #logFile(): string {
    return join(this.#folder, 'dockerd.log')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process
    this.#process = undefined
    if (!running || running.exitCode !== null || running.signalCode) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
}
