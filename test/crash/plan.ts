import { randomFrom } from '../parts/value/random.ts'

/** Where the service can be killed, and how often that moment may pass before. */
const MOMENTS = {
  /** Events are inserted, but not committed. */
  'before-commit': { most: 14 },
  /** Committed, but nobody has been told. */
  'after-commit': { most: 14 },
  /** Within an answer of the model. */
  'model-read': { most: 30 },
  /** Within the making of a container and of what is prepared in it. */
  'sandbox-start': { most: 30 },
  /** Within a command, before its output is taken in. */
  'engine-read': { most: 60 },
  /** Something was just typed into the terminal or asked of the engine. */
  'engine-write': { most: 60 },
  /** Milliseconds after the start of the process. */
  time: { most: 2500 },
}

type Moment = keyof typeof MOMENTS

export interface Kill {
  moment: Moment
  count: number
}

/** Within the first start: its container is being made, and its conversation is there but the first message is not. */
const FIRST: readonly Kill[] = [
  { moment: 'sandbox-start', count: 4 },
  { moment: 'before-commit', count: 1 },
]

const ALL_MOMENTS = Object.keys(MOMENTS) as Moment[]

/** So many kills, after the first ones each kind of moment as often as the others. The same seed gives the same ones. */
export function plan(seed: number, kills: number): Kill[] {
  const random = randomFrom(seed)
  const planned = Array.from({ length: kills - FIRST.length }, (_, index) => {
    const moment = ALL_MOMENTS[index % ALL_MOMENTS.length] ?? 'time'
    return { place: random(), kill: { moment, count: 1 + Math.floor(random() * MOMENTS[moment].most) } }
  })
  return [...FIRST, ...planned.sort((one, other) => one.place - other.place).map(({ kill }) => kill)]
}
