import type { Event, EventOf } from '../api/event/events.ts'
import type { AgentRun } from './run.ts'

/** Lets what the files are be kept while the model is asked, and in any case before a call can change them again. */
export class KeptFiles {
  readonly #keep: AgentRun['keepFiles']
  #pending: Promise<void> = Promise.resolve()

  constructor(run: Pick<AgentRun, 'keepFiles' | 'events' | 'accepted'>) {
    this.#keep = run.keepFiles
    if (!run.accepted) this.#begin(answersPerson(run.events) ? 'turn' : 'step')
  }

  /** @param calls those that were carried out */
  after(calls: readonly EventOf<'ActionEvent'>[], isReadOnly: (call: EventOf<'ActionEvent'>) => boolean): void {
    if (!calls.every(isReadOnly)) this.#begin('step')
  }

  /** Never rejects. */
  settled(): Promise<void> {
    return this.#pending
  }

  #begin(reason: 'turn' | 'step'): void {
    this.#pending = this.#keep?.(reason) ?? this.#pending
  }
}

/** Whether a person has said something that the agent has not answered at all yet. */
function answersPerson(events: readonly Event[]): boolean {
  const last = events.findLast(({ kind }) => kind === 'MessageEvent' || kind === 'ActionEvent')
  return last?.kind === 'MessageEvent' && last.source === 'user'
}
