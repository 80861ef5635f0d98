import { SessionEmulator } from '../../server/tools/terminal/emulator/session-emulator.ts'
import { Screen } from '../../server/tools/terminal/screen.ts'
import { hostileOutput, randomNumbers } from './terminal-output.ts'

export interface TerminalFuzz {
  inputs: number
  bytes: number
  slowestMs: number
  failures: TerminalFailure[]
}

interface TerminalFailure {
  what: string
  /** The output that was rendered, in base64. */
  input: string
}

/** One input is a few kB: rendering it takes milliseconds, and on a busy machine no more than this. */
const MAX_MS = 3_000

/** Renders hostile output made from `seed`, each twice and cut in different places: it must be rendered, soon and alike. */
export async function fuzzTerminal(options: { seed: number; milliseconds: number }): Promise<TerminalFuzz> {
  const random = randomNumbers(options.seed)
  const emulator = new SessionEmulator()
  const result: TerminalFuzz = { inputs: 0, bytes: 0, slowestMs: 0, failures: [] }
  const end = performance.now() + options.milliseconds
  while (performance.now() < end) {
    const input = hostileOutput(random)
    const since = performance.now()
    const what = await failureOf(emulator, input, () => 1 + Math.floor(random() ** 3 * 3000))
    const took = performance.now() - since
    result.inputs++
    result.bytes += input.length
    result.slowestMs = Math.max(result.slowestMs, took)
    const failure = what ?? (took > 2 * MAX_MS ? `It took ${Math.round(took)} ms.` : undefined)
    if (failure) result.failures.push({ what: failure, input: input.toString('base64') })
  }
  emulator.close()
  return result
}

/** What is wrong with how an output is shown; undefined when nothing is. */
export async function failureOf(
  emulator: SessionEmulator,
  input: Buffer,
  chunkLength: () => number,
): Promise<string | undefined> {
  const whole = await shownText(emulator, [input])
  if (whole.includes('could not be rendered')) return whole.slice(whole.indexOf('[From here on'), 200)
  const cut = await shownText(emulator, chunks(input, chunkLength))
  if (cut === whole) return undefined
  const at = [...whole].findIndex((char, index) => cut[index] !== char)
  return `It differs with its chunks at ${at}: ${JSON.stringify([whole.slice(at - 20, at + 40), cut.slice(at - 20, at + 40)])}`
}

/** What a person would see of an output that comes in these pieces. */
export async function shownText(emulator: SessionEmulator, pieces: readonly (Buffer | string)[]): Promise<string> {
  const screen = new Screen(emulator, () => {})
  for (const piece of pieces) screen.write(Buffer.from(piece))
  const { scrolled, visible } = await screen.take()
  screen.close()
  return scrolled + visible
}

export function chunks(bytes: Buffer, length: () => number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = length()
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
