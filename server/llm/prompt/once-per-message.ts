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
  readonly #made = new WeakMap<M, { target: MessageTarget; made: T }>()

  constructor(make: (message: M, target: MessageTarget) => T) {
    this.#make = make
  }

  /** The one of the last target alone is kept: a conversation asks one model many times. */
  of(message: M, target: MessageTarget): T {
    const known = this.#made.get(message)
    if (known && isSame(known.target, target)) return known.made
    const { wire, takesReasoning, provider } = target
    const made = this.#make(message, target)
    this.#made.set(message, { target: { wire, takesReasoning, provider: { id: provider.id } }, made })
    return made
  }
}

function isSame(one: MessageTarget, other: MessageTarget): boolean {
  return one.wire === other.wire && one.takesReasoning === other.takesReasoning && one.provider.id === other.provider.id
}
