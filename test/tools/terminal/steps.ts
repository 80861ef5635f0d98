import { expect } from 'vitest'
import { modelContent } from '../../../server/event/model-text.ts'
import type { TerminalObservation, Timing } from '../../../server/tools/terminal/session.ts'
import { createTerminal } from '../../../server/tools/terminal.ts'
import type { ToolHost } from '../../../server/tools/tool.ts'

/** One call of the terminal and what it must answer; what is left out is not looked at. */
export interface Step {
  run?: string
  type?: string
  poll?: true
  reset?: true
  timeout?: number
  /** The whole output. */
  output?: string
  has?: string | string[]
  hasNot?: string | string[]
  exit?: number
  workingDir?: string
  suffix?: string
  prefix?: string
  isError?: boolean
}

/** Short, so that a test does not wait; long enough for a busy machine to answer. */
export const TIMING: Timing = { quietMs: 1500, inputQuietMs: 1500 }

export async function runSteps(
  host: ToolHost,
  steps: readonly Step[],
  timing = TIMING,
): Promise<TerminalObservation[]> {
  const terminal = createTerminal(host, timing)
  const observations: TerminalObservation[] = []
  try {
    for (const step of steps) {
      const action = terminal.toAction({
        command: step.run ?? step.type ?? '',
        is_input: step.type !== undefined,
        ...(step.timeout !== undefined && { timeout: step.timeout }),
        reset: step.reset ?? false,
      })
      const observation = await terminal.run(action, { signal: AbortSignal.timeout(80_000), onOutput: () => {} })
      if (observation.kind !== 'TerminalObservation') throw new Error('The terminal answered as another tool.')
      observations.push(observation)
      check(step, observation)
    }
  } finally {
    await terminal.close()
  }
  return observations
}

export function outputOf(observation: TerminalObservation): string {
  return observation.content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function check(step: Step, observation: TerminalObservation): void {
  const output = outputOf(observation)
  const { metadata } = observation
  if (step.output !== undefined) expect(output).toBe(step.output)
  for (const piece of [step.has ?? []].flat()) expect(output).toContain(piece)
  for (const piece of [step.hasNot ?? []].flat()) expect(output).not.toContain(piece)
  if (step.exit !== undefined) expect([output, observation.exit_code]).toEqual([output, step.exit])
  if (step.workingDir !== undefined) expect(metadata.working_dir).toBe(step.workingDir)
  if (step.suffix !== undefined) expect(metadata.suffix).toContain(step.suffix)
  if (step.prefix !== undefined) expect(metadata.prefix).toContain(step.prefix)
  expect([output, observation.is_error]).toEqual([output, step.isError ?? false])
  // Whatever happens, the marks and the typing of the terminal itself stay out of what the model reads.
  const [told] = modelContent(observation)
  expect(told?.type === 'text' && told.text).not.toMatch(/__atelier|7770;/)
}
