import { canaryIn } from './canaries.ts'

/** What a fuzzer found, each kind of it told once. */
export class Findings {
  readonly #seen = new Map<string, number>()
  readonly #say: (text: string) => void

  constructor(say: (text: string) => void) {
    this.#say = say
  }

  /** How many there were, those that look alike counted each. */
  get count(): number {
    return [...this.#seen.values()].reduce((sum, times) => sum + times, 0)
  }

  /** @param like findings with the same text count as the same */
  add(like: string, details: string): void {
    const times = (this.#seen.get(like) ?? 0) + 1
    this.#seen.set(like, times)
    if (times === 1) this.#say(`✗ ${like}\n  ${details}`)
  }

  lookForSecrets(text: string, where: string, details: string): void {
    const place = canaryIn(text)
    if (place !== undefined) this.add(`A secret was seen in ${where}.`, `${place}\n  ${details}`)
  }

  list(): { finding: string; times: number }[] {
    return [...this.#seen].map(([finding, times]) => ({ finding, times }))
  }
}
