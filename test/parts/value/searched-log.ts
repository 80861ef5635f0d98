import type { Event } from '../../../server/api/event/events.ts'
import { newEventId } from '../../../server/domain/ids.ts'
import { newEvent } from './agent-event.ts'
import { between, pick, randomFrom } from './random.ts'

const WORDS =
  'the to of and a in is it that for on test file error parser build run with this function value return import data user server client path line code fix change add remove check type module name order list cache query index event token shell config issue patch branch commit merge review format string number array object class method call result output input loop state store table column row key sort page limit retry timeout socket request reply header body stream buffer thread worker queue lock merge diff render layout style theme panel button dialog icon menu search filter group range cursor offset schema migration backup restore deploy docker image volume network proxy secret vault mask login session cookie cors origin guard rate bound memory disk cpu clock date zone locale text word phrase prefix accent script unicode bidi glyph font'.split(
    ' ',
  )
const VERBS = ['get', 'set', 'load', 'parse', 'build', 'make', 'find', 'read', 'write', 'send']
const RARE_WORDS = 60_000

/** Events such as an agent logs, whose words are as unevenly common as those of real text. */
export function createLog(seed: number): (seq: number, at: string) => Event {
  const random = randomFrom(seed)
  const word = () => {
    const rank = Math.floor(RARE_WORDS ** random()) - 1
    const common = WORDS[rank % WORDS.length] ?? ''
    return rank < WORDS.length ? common : `${common}${(rank % 9973).toString(36)}`
  }
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const name = () => `${pick(random, VERBS)}${capital(word())}${capital(word())}`
  const file = () => `src/${word()}/${word()}-${word()}.ts`
  const textOf = (seq: number): string => {
    if (seq % 20 === 0) return `${words(30)}. ${name()} in ${file()} should ${words(15)}.`
    if (seq % 2 === 0) return `grep -rn "${name()}" ${file()} && npm test -- ${word()}`
    return Array.from(
      { length: 4 },
      () => `${file()}:${between(random, 1, 400)}: ${name()}(${word()}) ${words(5)}`,
    ).join('\n')
  }
  return (seq, at) => {
    const text = textOf(seq)
    const base = { id: newEventId(), seq, timestamp: at }
    if (seq % 20 === 0) return message(text, base)
    const event = newEvent(seq)
    // The log is what gives an event its missing fields.
    return { ...withText(event, text), ...base } as Event
  }
}

function message(text: string, base: { id: string; seq: number; timestamp: string }): Event {
  const llm_message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
  return { kind: 'MessageEvent', source: 'user', ...base, llm_message, activated_skills: [], extended_content: [] }
}

function withText(event: ReturnType<typeof newEvent>, text: string): object {
  if (event.kind === 'ActionEvent' && event.action?.kind === 'TerminalAction')
    return { ...event, thought: [], action: { ...event.action, command: text } }
  if (event.kind === 'ObservationEvent')
    return { ...event, observation: { ...event.observation, content: [{ type: 'text', text }] } }
  return event
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
