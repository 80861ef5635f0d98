import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asUser, ensureTestUser } from '../../../build/as-user.mjs'
import { endOfErrors, untilAnswering } from './answering.ts'
import { unmountUnder } from './unmount.ts'

/** As Debian and Docker's own packages have it. */
const PROGRAM = '/usr/share/docker.io/contrib/dockerd-rootless.sh'

/** A Docker engine of a normal user, whose containers run in a user namespace of theirs. Needs root to become that user. */
export class RootlessDocker {
  /** In the form of DOCKER_HOST. */
  readonly host: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'atelier-rootless-'))
  #process: ChildProcess | undefined

  constructor() {
    this.host = `unix://${this.#at('run/docker.sock')}`
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const { uid, gid } = await ensureTestUser()
    for (const name of ['', 'run', 'data']) {
      mkdirSync(this.#at(name), { recursive: true, mode: 0o700 })
      chownSync(this.#at(name), uid, gid)
    }
    // As udev has it where it runs; nothing depends on fewer rights.
    if ((statSync('/dev/net/tun').mode & 0o006) !== 0o006) chmodSync('/dev/net/tun', 0o666)
    const places = { '--data-root': 'data', '--exec-root': 'run/exec', '--pidfile': 'run/docker.pid' }
    const { command, args } = asUser(
      '/bin/sh',
      [PROGRAM, '-H', this.host, ...Object.entries(places).flatMap(([option, name]) => [option, this.#at(name)])],
      {
        XDG_RUNTIME_DIR: this.#at('run'),
        PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
        DOCKERD_ROOTLESS_ROOTLESSKIT_FLAGS: `--state-dir=${this.#at('run/kit')}`,
      },
    )
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#process = child
    await untilAnswering(this.host, child, endOfErrors(child))
  }

  /** Ends it with all its containers, and removes the folder. */
  async close(): Promise<void> {
    const running = this.#process
    if (running && running.exitCode === null && !running.signalCode) {
      const ended = once(running, 'exit')
      running.kill('SIGTERM')
      await ended
    }
    unmountUnder(this.#folder)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #at(name: string): string {
    return join(this.#folder, name)
  }
}
