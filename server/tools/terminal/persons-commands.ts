import { clipMiddle } from '../../text/clip.ts'
import type { Job } from './job.ts'

/** So many of the newest are named. */
const MAX_COMMANDS = 20
const COMMAND_CHARS = 500

/** What a person ran in the shell of the agent, until the agent knows of it. */
export class PersonsCommands {
  #jobs: Job[] = []
  #leftOut = 0

  add(job: Job): void {
    this.#jobs.push(job)
    if (this.#jobs.length <= MAX_COMMANDS) return
    this.#jobs.shift()
    this.#leftOut++
  }

  includes(job: Job | undefined): boolean {
    return job !== undefined && this.#jobs.includes(job)
  }

  /** Once: what is new since the last time, for the model; empty where that is nothing. Masked before they are clipped: half a secret is no secret to a mask. */
  take(mask: (text: string) => string): string {
    if (this.#jobs.length === 0) return ''
    const before = this.#leftOut > 0 ? [`(${this.#leftOut} more before)`] : []
    const lines = this.#jobs.map(({ command, end }) => {
      const shown = clipMiddle(mask(command), COMMAND_CHARS, () => ' […] ')
      return `$ ${shown} (${end ? `exit code ${end.exitCode}` : 'still running'})`
    })
    this.#jobs = []
    this.#leftOut = 0
    return `[Since your last command, the user ran in this shell:\n${[...before, ...lines].join('\n')}]\n`
  }
}
