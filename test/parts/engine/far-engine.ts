import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OwnEngine } from './own-engine.ts'
import { startSshServer } from './ssh-server.ts'
import { startTlsEngine } from './tls-engine.ts'

/** A Docker engine of its own that is reached as one of another machine would be. Needs root. */
export class FarEngine {
  /** As in DOCKER_HOST, from its start on. */
  host = ''
  /** With what opens the way to it. */
  env: NodeJS.ProcessEnv = {}
  readonly #over: 'ssh' | 'tls'
  readonly #engine: OwnEngine
  #closeWay = () => {}

  constructor(over: 'ssh' | 'tls') {
    this.#over = over
    this.#engine = new OwnEngine({ folder: mkdtempSync(join(tmpdir(), `atelier-over-${over}-`)), hasOwnNetwork: true })
  }

  async start(): Promise<void> {
    await this.#engine.start()
    const way = await (this.#over === 'ssh' ? startSshServer(this.#engine.host) : startTlsEngine(this.#engine.host))
    this.#closeWay = way.close
    this.host = way.host
    this.env = 'env' in way ? way.env : { DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: way.certificates }
  }

  async close(): Promise<void> {
    this.#closeWay()
    await this.#engine.close()
  }
}
