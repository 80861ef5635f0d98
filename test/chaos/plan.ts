import { between, randomFrom } from '../parts/value/random.ts'

/** What a fault needs beyond a service and any engine. */
type Need = 'own engine' | 'own disk'

interface Kind {
  /** `all` meets every conversation, `one` the conversation of one user. */
  meets: 'all' | 'one'
  /** How often it comes, against the others. */
  weight: number
  /** How long it lasts, in milliseconds: least and most. */
  lasts: readonly [number, number]
  needs?: Need
}

export const KINDS = {
  'service killed': { meets: 'all', weight: 4, lasts: [0, 500] },
  'service killed while it starts': { meets: 'all', weight: 2, lasts: [50, 1200] },
  'service stopped and started': { meets: 'all', weight: 1, lasts: [0, 0] },
  'service frozen': { meets: 'all', weight: 2, lasts: [200, 2500] },
  'clock of the service jumps': { meets: 'all', weight: 2, lasts: [200, 1500] },
  'engine killed': { meets: 'all', weight: 1, lasts: [0, 1500], needs: 'own engine' },
  'engine frozen': { meets: 'all', weight: 2, lasts: [500, 7000], needs: 'own engine' },
  'engine slow': { meets: 'all', weight: 2, lasts: [1000, 4000] },
  'engine silent': { meets: 'all', weight: 2, lasts: [500, 6000] },
  'connections to the engine cut': { meets: 'all', weight: 3, lasts: [0, 0] },
  'engine unreachable': { meets: 'all', weight: 2, lasts: [200, 2500] },
  'disk full': { meets: 'all', weight: 3, lasts: [200, 2500], needs: 'own disk' },
  'container killed': { meets: 'one', weight: 3, lasts: [0, 0] },
  'container frozen': { meets: 'one', weight: 2, lasts: [300, 2500] },
  'shell killed': { meets: 'one', weight: 5, lasts: [0, 0] },
  'shell frozen': { meets: 'one', weight: 2, lasts: [300, 2000] },
  'hostile output': { meets: 'one', weight: 8, lasts: [0, 0] },
  'model stream broken': { meets: 'one', weight: 6, lasts: [0, 0] },
  'model refuses': { meets: 'one', weight: 6, lasts: [0, 0] },
  'model silent': { meets: 'one', weight: 2, lasts: [0, 0] },
  'model slow': { meets: 'one', weight: 2, lasts: [0, 0] },
  'huge arguments': { meets: 'one', weight: 2, lasts: [0, 0] },
  'stopped by the user': { meets: 'one', weight: 4, lasts: [0, 0] },
} as const satisfies Record<string, Kind>

export type FaultKind = keyof typeof KINDS
export const FAULT_KINDS = Object.keys(KINDS) as FaultKind[]

export interface Fault {
  kind: FaultKind
  /** Of the user whose conversation is met; null meets all. */
  user: number | null
  /** Milliseconds from the beginning of the round. */
  after: number
  /** Milliseconds until it is healed. */
  lasts: number
  /** From 0 to 1: which form the fault takes, where it has several. */
  form: number
}

export interface Round {
  faults: Fault[]
  /** Of the user who deletes the conversation and begins another meanwhile. */
  replaced: number | null
}

export interface PlanOptions {
  seed: number
  users: number
  /** Undefined plans without end. */
  faults?: number | undefined
  kinds: readonly FaultKind[]
}

const CHANCE_OF_ALL = 0.6
const CHANCE_OF_ONE = 0.7
const CHANCE_OF_REPLACEMENT = 0.35
const LATEST_MS = 900

/** The same options give the same rounds. Those that come first hold each kind once. */
export function* plan({ seed, users, faults = Number.POSITIVE_INFINITY, kinds }: PlanOptions): Generator<Round> {
  const random = randomFrom(seed)
  const next = { all: chooser(kinds, 'all', random), one: chooser(kinds, 'one', random) }
  let left = faults
  while (left > 0) {
    const round: Round = { faults: [], replaced: null }
    const add = (kind: FaultKind | undefined, user: number | null) => {
      if (kind && round.faults.length < left) round.faults.push(faultOf(kind, user, random))
    }
    if (random() < CHANCE_OF_ALL) add(next.all(), null)
    for (let user = 0; user < users; user++) if (random() < CHANCE_OF_ONE) add(next.one(), user)
    if (random() < CHANCE_OF_REPLACEMENT) round.replaced = between(random, 0, users - 1)
    left -= round.faults.length
    if (round.faults.length > 0) yield round
  }
}

function faultOf(kind: FaultKind, user: number | null, random: () => number): Fault {
  const [least, most] = KINDS[kind].lasts
  return { kind, user, after: between(random, 0, LATEST_MS), lasts: between(random, least, most), form: random() }
}

/** Each kind in a shuffled deck as often as it weighs, in one deck after the other; the first holds each once. */
function chooser(kinds: readonly FaultKind[], meets: Kind['meets'], random: () => number) {
  const own = kinds.filter(kind => KINDS[kind].meets === meets)
  let deck = shuffled(own, random)
  return (): FaultKind | undefined => {
    if (deck.length === 0) {
      const weighed = own.flatMap(kind => Array.from({ length: KINDS[kind].weight }, () => kind))
      deck = shuffled(weighed, random)
    }
    return deck.pop()
  }
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map(item => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
