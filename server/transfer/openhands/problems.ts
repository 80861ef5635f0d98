const MAX_PROBLEMS = 50

/** What will not come over, in words; so many that somebody reads them. */
export class Problems {
  readonly #list: string[] = []
  readonly #counted = new Map<string, number>()
  #more = 0

  add(problem: string): void {
    if (this.#list.length < MAX_PROBLEMS) this.#list.push(problem)
    else this.#more++
  }

  /** One sentence for all of a kind. */
  count(what: string): void {
    this.#counted.set(what, (this.#counted.get(what) ?? 0) + 1)
  }

  list(): string[] {
    const counted = [...this.#counted].map(([what, count]) => `${count.toLocaleString('en-US')} × ${what}`)
    return [...this.#list, ...counted, ...(this.#more > 0 ? [`And ${this.#more.toLocaleString('en-US')} more.`] : [])]
  }
}
