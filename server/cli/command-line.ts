import { CommanderError } from 'commander'
import { ApiError } from '../client/api-error.ts'
import { messageOf } from '../domain/errors.ts'
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts'
import type { CommandHost } from './host.ts'
import { Terminal } from './output/terminal.ts'
import { createProgram } from './program.ts'
import type { GlobalOptions, Session } from './session.ts'

/** Runs the command that the words name. @returns how it ended */
export async function runCommandLine(words: readonly string[], host: CommandHost): Promise<ExitCode> {
  const interrupt = new AbortController()
  const onInterrupt = () => interrupt.abort(new DOMException('Interrupted.', 'AbortError'))
  let ended: ExitCode = EXIT.done
  const program = createProgram(host.version, async work => {
    const options = program.opts<GlobalOptions>()
    const terminal = new Terminal({ json: options.json ?? false, colour: options.color, env: process.env })
    process.on('SIGINT', onInterrupt)
    try {
      ended = await work({ host, terminal, options, signal: interrupt.signal } satisfies Session)
    } catch (error) {
      ended = report(error, terminal, interrupt.signal)
    } finally {
      process.off('SIGINT', onInterrupt)
    }
  })
  for (const command of everyCommand(program)) command.exitOverride()
  // A reader that has seen enough, such as head, is no failure.
  process.stdout.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? EXIT.done : EXIT.failed))
  try {
    await program.parseAsync([...words], { from: 'user' })
    return ended
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT.done : EXIT.usage
  }
}

function report(error: unknown, terminal: Terminal, signal: AbortSignal): ExitCode {
  if (signal.aborted && !(error instanceof ApiError)) {
    terminal.say(error instanceof Error && error.name !== 'AbortError' ? error.message : 'Interrupted.')
    return EXIT.interrupted
  }
  const exitCode = exitCodeOf(error)
  const code = error instanceof ApiError ? error.code : undefined
  const nextStep = error instanceof ApiError ? error.nextStep : null
  if (terminal.isJson)
    terminal.json({ type: 'error', exit_code: exitCode, code, message: messageOf(error), next_step: nextStep })
  terminal.say(`atelier: ${messageOf(error)}`, 'red')
  // What a refusal says often names what to do itself.
  if (nextStep && code !== 'validation') terminal.say(nextStep, 'dim')
  return exitCode
}

function everyCommand(command: ReturnType<typeof createProgram>): ReturnType<typeof createProgram>[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}
