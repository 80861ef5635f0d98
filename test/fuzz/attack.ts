import type { Headless } from '../parts/service/headless.ts'
import { pick } from '../parts/value/random.ts'
import type { Findings } from './findings.ts'
import type { FuzzFixtures } from './fixtures.ts'
import { fuzzRaw } from './raw-http.ts'
import { newRequest } from './requests.ts'
import { sendAndLook } from './send.ts'
import { fuzzSocket } from './sockets.ts'
import { isSeldom, type Port, readTargets, type Target } from './targets.ts'
import { fuzzToolServer } from './tool-server.ts'

const SELDOM_MS = 2000
const REMEMBERED = 24

/** What is sent to one service, and what became of it in numbers. */
export class Attack {
  readonly counts = { requests: 0, sockets: 0, 'raw HTTP': 0, 'tool server': 0 }
  readonly statuses = new Map<number, number>()
  /** Operations that were not answered in time, and how often. */
  readonly unanswered = new Map<string, number>()
  readonly #service: Headless
  readonly #fixtures: FuzzFixtures
  readonly #findings: Findings
  readonly #targets: Record<Port, Target[]>
  readonly #latest: string[] = []
  #seldomAt = 0

  private constructor(service: Headless, fixtures: FuzzFixtures, findings: Findings, targets: Record<Port, Target[]>) {
    this.#service = service
    this.#fixtures = fixtures
    this.#findings = findings
    this.#targets = targets
  }

  static async prepare(service: Headless, fixtures: FuzzFixtures, findings: Findings): Promise<Attack> {
    const app = await readTargets('app', service.url)
    const gateway = await readTargets('gateway', service.gatewayUrl)
    return new Attack(service, fixtures, findings, { app, gateway })
  }

  /** The operations that were asked for last, for when the service does not live to answer. */
  get latest(): string {
    return this.#latest.join(', ')
  }

  async next(random: () => number): Promise<void> {
    const choice = random()
    if (choice < 0.03) {
      this.counts.sockets++
      await fuzzSocket(this.#service, random, this.#fixtures.known, this.#findings)
    } else if (choice < 0.06) {
      this.counts['raw HTTP']++
      await fuzzRaw(this.#service, random, this.#findings)
    } else if (choice < 0.07) {
      this.counts['tool server']++
      await fuzzToolServer(this.#service, random, this.#fixtures.known, this.#findings)
    } else {
      await this.#request(pick(random, random() < 0.6 ? this.#targets.app : this.#targets.gateway), random)
    }
  }

  async #request(target: Target, random: () => number): Promise<void> {
    const { known } = this.#fixtures
    const request = newRequest(target, random, known)
    const isOfSandbox = target.route?.key === 'sandbox' || (target.port === 'gateway' && random() < 0.7)
    if (isSeldom(target)) {
      if (Date.now() - this.#seldomAt < SELDOM_MS) return
      this.#seldomAt = Date.now()
    }
    const name = `${target.method} ${target.path}`
    this.#latest.push(name)
    if (this.#latest.length > REMEMBERED) this.#latest.shift()
    const { url, gatewayUrl, key } = this.#service
    const base = target.port === 'app' ? url : gatewayUrl
    const status = await sendAndLook(base, request, (isOfSandbox ? known.sandboxKey : key) ?? '', this.#findings)
    this.counts.requests++
    if (status === null) this.unanswered.set(name, (this.unanswered.get(name) ?? 0) + 1)
    else this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }
}
