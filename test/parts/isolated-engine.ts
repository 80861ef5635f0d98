import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '../../server/docker/client.ts'
import { DockerodeEngine } from '../../server/docker/dockerode-engine.ts'

/**
 * A Docker engine of a test's own, which may be killed and stopped. It lives in a network of its own, so that its bridge
 * and its rules never meet those of the engine that the other tests use. Needs root.
 */
export class IsolatedEngine {
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'atelier-own-engine-'))
  #process: ChildProcess | undefined

  constructor() {
    this.host = `unix://${join(this.#folder, 'docker.sock')}`
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const at = (name: string) => join(this.#folder, name)
    const paths = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('docker.pid'), '-H', this.host]
    const command = `ip link set lo up; exec dockerd ${paths.join(' ')} >>${at('log')} 2>&1`
    this.#process = spawn('unshare', ['--net', 'sh', '-c', command], { stdio: 'ignore' })
    const engine = new DockerodeEngine(this.host, createClient({ host: this.host, certificates: undefined }))
    try {
      for (let waited = 0; waited < 60_000; waited += 100) {
        const answers = await engine.ping(AbortSignal.timeout(5000)).then(
          () => true,
          () => false,
        )
        if (answers) return
        if (this.#process.exitCode !== null) break
        await delay(100)
      }
      throw new Error(`dockerd did not start:\n${readFileSync(at('log'), 'utf8').slice(-3000)}`)
    } finally {
      await engine.close()
    }
  }

  /** At once, as a crash would. Its containers go on until it is started again. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
    // Its supervisor dies with it; where nobody reaps that, it would be taken for one that lives.
    for (const file of ['docker.pid', 'exec/containerd/containerd.pid'])
      rmSync(join(this.#folder, file), { force: true })
  }

  /** It does nothing at all any more, but keeps its connections. */
  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process?.kill('SIGCONT')
  }

  /** Ends it with all its containers. */
  async close(): Promise<void> {
    if (!this.#process) await this.start()
    this.thaw()
    await this.#end('SIGTERM')
    this.#unmount()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** What an engine that was killed had mounted stays mounted. */
  #unmount(): void {
    const places = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map(line => line.split(' ')[1] ?? '')
      .filter(place => place.startsWith(`${this.#folder}/`))
    for (const place of places.sort().reverse()) spawnSync('umount', [place])
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process
    this.#process = undefined
    if (!running || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }
}
