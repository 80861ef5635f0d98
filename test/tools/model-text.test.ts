import { describe, expect, test } from 'vitest'
import { modelContent } from '../../server/event/model-text.ts'
import type { TerminalObservation } from '../../server/tools/terminal/session.ts'

function terminal(metadata: Partial<TerminalObservation['metadata']>, isError = false): TerminalObservation {
  const all = { exit_code: 0, pid: 7, prefix: '', suffix: '', ...metadata }
  const content = [{ type: 'text' as const, text: 'output' }]
  return {
    kind: 'TerminalObservation',
    content,
    is_error: isError,
    command: 'x',
    exit_code: all.exit_code,
    timeout: false,
    metadata: all,
  }
}

describe('what the model reads of an observation', () => {
  test('is the output with what surrounds it, the directory, the interpreter and the exit code', () => {
    const observation = terminal({
      exit_code: 2,
      prefix: '[Before.]\n',
      suffix: '\n[After.]',
      working_dir: '/w',
      py_interpreter_path: '/usr/bin/python3',
    })
    expect(modelContent(observation)).toEqual([
      {
        type: 'text',
        text: '[Before.]\noutput\n[After.]\n[Current working directory: /w]\n[Python interpreter: /usr/bin/python3]\n[Command finished with exit code 2]',
      },
    ])
  })

  test('has no exit code while the command runs', () => {
    expect(modelContent(terminal({ exit_code: -1, suffix: '\n[Running.]' }))).toEqual([
      { type: 'text', text: 'output\n[Running.]' },
    ])
  })

  test('begins with a header when something went wrong', () => {
    const [told] = modelContent(terminal({ exit_code: -1 }, true))
    expect(told).toEqual({ type: 'text', text: '[An error occurred during execution.]\noutput' })
  })

  test('is the content as it is for other tools', () => {
    const content = [{ type: 'text' as const, text: 'Done.' }]
    expect(modelContent({ kind: 'FinishObservation', content, is_error: false })).toBe(content)
  })
})
