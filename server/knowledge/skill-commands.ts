import { BOUNDS } from '../domain/bounds.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { Skill } from '../domain/skill.ts'
import { commandsIn, withOutputs } from '../domain/skill-commands.ts'

export interface CommandPlace {
  sandbox: () => Promise<SandboxHandle>
  workingDir: string
  mask: (text: string) => string
  /** Whether the person's own or trusted with this very text. */
  mayRun: (skill: Skill) => boolean
}

/**
 * A skill with the output of its commands in their place: run in the sandbox, in the working directory, without any secret.
 * What fails says so in the place of its output. @throws AppError of the sandbox, and the signal's reason
 */
export async function withCommandsRun(skill: Skill, place: CommandPlace, signal: AbortSignal): Promise<Skill> {
  const commands = commandsIn(skill.content)
  if (commands.length === 0) return skill
  const outputs = new Map<string, string>()
  if (place.mayRun(skill)) {
    const sandbox = await place.sandbox()
    for (const [index, command] of commands.entries()) {
      const isBeyond = index >= BOUNDS.skillCommands.limit
      outputs.set(command, isBeyond ? TOO_MANY : place.mask(await outputOf(command, sandbox, place, signal)))
    }
  } else for (const command of commands) outputs.set(command, notTrusted(command))
  return { ...skill, content: withOutputs(skill.content, outputs) }
}

const TOO_MANY = `[Not run: a skill may run ${BOUNDS.skillCommands.limit} commands.]`

function notTrusted(command: string): string {
  return `[\`${command}\` was not run, as the user has not trusted this skill. Run it with the terminal if you need its output.]`
}

async function outputOf(
  command: string,
  sandbox: SandboxHandle,
  { workingDir }: CommandPlace,
  signal: AbortSignal,
): Promise<string> {
  const { limit: maxBytes } = BOUNDS.skillCommandOutput
  const { exitCode, stdout, stderr, timedOut } = await sandbox.exec({
    argv: ['/bin/sh', '-c', command],
    isForeign: true,
    cwd: workingDir,
    timeoutMs: BOUNDS.skillCommand.limit,
    maxBytes,
    signal,
  })
  const said = stdout.trimEnd()
  const cut = Buffer.byteLength(stdout) >= maxBytes ? `\n[Cut after ${maxBytes} bytes.]` : ''
  if (timedOut) return `${said}\n[\`${command}\` was ended after ${BOUNDS.skillCommand.limit / 1000} seconds.]`.trim()
  if (exitCode === 0) return said + cut
  const why = stderr.trim().slice(0, MAX_REASON)
  return `${said}\n[\`${command}\` ended with exit code ${exitCode}${why ? `: ${why}` : ''}.]`.trim()
}

const MAX_REASON = 500
