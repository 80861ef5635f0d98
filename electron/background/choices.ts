import { readFileSync } from 'node:fs'
import type { BackgroundChoices } from '../ipc.ts'
import { replaceFile } from '../replace-file.ts'

/** What a person has chosen for this computer. It is asked for before there is a window, so the window does not keep it. */
export type Choices = Omit<BackgroundChoices, 'startAtLogin'>

const DEFAULTS: Choices = { tray: true, keepRunning: false, graphics: 'used' }

/** The choices, in a file. */
export class ChoiceFile {
  readonly #file: string
  #current: Choices

  constructor(file: string) {
    this.#file = file
    this.#current = read(file)
  }

  get current(): Choices {
    return this.#current
  }

  /** @throws when it cannot be written; nothing is changed then */
  change(change: Partial<Choices>): void {
    const next = { ...this.#current, ...change }
    replaceFile(this.#file, JSON.stringify(next))
    this.#current = next
  }
}

function read(file: string): Choices {
  try {
    return { ...DEFAULTS, ...parseChoices(JSON.parse(readFileSync(file, 'utf8'))) }
  } catch {
    return DEFAULTS
  }
}

/** What of it makes sense. It comes from a page, or from a file in the user's hands. */
export function parseChoices(value: unknown): Partial<Choices> {
  const { tray, keepRunning, graphics } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  return {
    ...(typeof tray === 'boolean' && { tray }),
    ...(typeof keepRunning === 'boolean' && { keepRunning }),
    ...((graphics === 'used' || graphics === 'unused' || graphics === 'failed') && { graphics }),
  }
}
