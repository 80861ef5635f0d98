import type { ModelMessage } from '../completion.ts'
import type { ModelTarget } from '../provider.ts'

/** What of a model decides how messages are written for it. */
export type MessageTarget = Pick<ModelTarget, 'wire' | 'takesReasoning'> & {
  provider: Pick<ModelTarget['provider'], 'id'>
}

/**
 * What is made of a message for a model, for as long as the message is kept. Neither changes: who needs another one makes
 * a copy.
 */
export class OncePerMessage<M extends ModelMessage, T> {
  readonly #make: (message: M, target: MessageTarget) => T
  readonly #made = new WeakMap<M, { key: string; made: T }>()

  constructor(make: (message: M, target: MessageTarget) => T) {
    this.#make = make
  }

  /** The one of the last target alone is kept: a conversation asks one model many times. */
  of(message: M, target: MessageTarget): T {
    const key = `${target.wire} ${target.takesReasoning} ${target.provider.id}`
    const known = this.#made.get(message)
    if (known?.key === key) return known.made
    const made = this.#make(message, target)
    this.#made.set(message, { key, made })
    return made
  }
}
