import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ToolHost } from '../tool.ts'
import type { Job } from './job.ts'

/** Some milliseconds of work. */
const MASKED_AT_ONCE = 500_000
/** So many characters of a secret may be seen. */
const HARMLESS_PREFIX = 3

/** How much of a command's output the model has read, and what is new since; secrets are masked, also over two reports. */
export class ReportedOutput {
  readonly #host: Pick<ToolHost, 'mask' | 'maskGrowing'>
  /** The visible part of what was reported; it may come again. */
  #told = ''
  /** The end of what was shown, which may be the beginning of a secret: looked at again with what comes after it. */
  #held = ''
  /** What was reported of it all the same. */
  #toldOfHeld = ''
  #whole = true

  constructor(host: Pick<ToolHost, 'mask' | 'maskGrowing'>) {
    this.#host = host
  }

  /** The newest output is complete: a program can write more than is kept. */
  get whole(): boolean {
    return this.#whole
  }

  /** The output of another command comes next. */
  beginAnew(): void {
    this.#told = this.#held = this.#toldOfHeld = ''
  }

  async takeNew(job: Job): Promise<string> {
    const { scrolled, visible, whole } = await job.screen.take()
    this.#whole = whole
    const all = scrolled + visible
    const goesOn = all.startsWith(this.#told)
    const fresh = goesOn ? this.#held + all.slice(this.#told.length) : all
    this.#told = visible
    const text = fresh.replace(/^\n/, '')
    const { told, held } = await this.#masked(text, { ended: job.end !== undefined })
    const before = goesOn ? this.#toldOfHeld : ''
    this.#held = held
    this.#toldOfHeld = held.length <= HARMLESS_PREFIX ? held : held === text ? before : ''
    return (told.startsWith(before) ? told.slice(before.length) : told).trimEnd()
  }

  /** What can be reported now, and its end that may become a secret: of that a few characters, since many texts end so. */
  growing(text: string): { told: string; held: string } {
    const { shown, held } = this.#host.maskGrowing?.(text) ?? { shown: this.#host.mask(text), held: '' }
    return { told: held.length <= HARMLESS_PREFIX ? shown + held : shown, held }
  }

  /** As `growing`, a piece at a time: megabytes at once would hold up everything else that the service does. */
  async #masked(text: string, { ended }: { ended: boolean }): Promise<{ told: string; held: string }> {
    const { mask, maskGrowing } = this.#host
    let told = ''
    let rest = text
    while (maskGrowing && rest.length > MASKED_AT_ONCE) {
      const { shown, held } = maskGrowing(rest.slice(0, MASKED_AT_ONCE))
      if (shown === '') break
      told += shown
      rest = held + rest.slice(MASKED_AT_ONCE)
      await nextTurn()
    }
    if (ended) return { told: told + mask(rest), held: '' }
    const last = this.growing(rest)
    return { told: told + last.told, held: last.held }
  }
}
