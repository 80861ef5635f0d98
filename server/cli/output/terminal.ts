import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError, EXIT } from '../exit-codes.ts'
import { jsonLine, plainText } from './plain-text.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

const CODES: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

/** Where a command writes: results to stdout, progress to stderr. Every text is made plain on its way. */
export class Terminal {
  readonly isJson: boolean
  /** A person sits there who can be asked. */
  readonly isInteractive: boolean
  readonly #colours: { out: boolean; err: boolean }

  constructor({ json, colour, env }: { json: boolean; colour: boolean; env: NodeJS.ProcessEnv }) {
    const wanted = colour && !env.NO_COLOR && env.TERM !== 'dumb'
    this.isJson = json
    this.isInteractive = process.stdin.isTTY === true && process.stderr.isTTY === true
    this.#colours = { out: wanted && process.stdout.isTTY === true, err: wanted && process.stderr.isTTY === true }
  }

  /** A result, as lines. */
  print(line: string, style?: Style): void {
    process.stdout.write(`${applyStyle(line, this.#colours.out ? style : undefined)}\n`)
  }

  /** A result for scripts, on one line. */
  json(value: unknown): void {
    process.stdout.write(`${jsonLine(value)}\n`)
  }

  /** What goes on, for a person. */
  say(line: string, style?: Style): void {
    process.stderr.write(`${applyStyle(line, this.#colours.err ? style : undefined)}\n`)
  }

  /** Asks the person; empty at the end of the input. Aborting ends the question. */
  async ask(question: string, signal?: AbortSignal): Promise<string> {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    // readline takes Ctrl-C for itself while it asks.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    const ended = new Promise<string>(resolve => lines.once('close', () => resolve('')))
    try {
      return (await Promise.race([lines.question(plainText(question), signal ? { signal } : {}), ended])).trim()
    } finally {
      lines.close()
    }
  }

  /** As `ask`, for what nobody is to see. The rest of the line is taken as it is. */
  async askHidden(question: string): Promise<string> {
    process.stderr.write(plainText(question))
    const lines = createInterface({
      input: process.stdin,
      output: new Writable({ write: (_text, _, done) => done() }),
      terminal: true,
    })
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
    const ended = new Promise<string>(resolve => lines.once('close', () => resolve('')))
    try {
      return await Promise.race([lines.question(''), ended])
    } finally {
      lines.close()
      process.stderr.write('\n')
    }
  }

  /** Goes on for a person who says yes, or who has said it beforehand. @throws CommandError usage, refused */
  async confirm(question: string, { isYes, signal }: { isYes: boolean; signal: AbortSignal }): Promise<void> {
    if (isYes) return
    if (!this.isInteractive) {
      throw new CommandError(EXIT.usage, 'Nobody can be asked here. Give --yes to go on without being asked.')
    }
    const answer = await this.ask(`${question} [y/N] `, signal)
    if (!/^y(es)?$/i.test(answer)) throw new CommandError(EXIT.refused, 'Nothing was changed.')
  }

  /** All of stdin as text, without the line feed at its end. */
  async input(): Promise<string> {
    return (await text(process.stdin)).replace(/\r?\n$/, '')
  }
}

/** Where the line is coloured, the codes are ours. */
function applyStyle(line: string, style: Style | undefined): string {
  const plain = plainText(line)
  if (!style || plain === '') return plain
  const [on, off] = CODES[style]
  return `\u001b[${on}m${plain}\u001b[${off}m`
}
