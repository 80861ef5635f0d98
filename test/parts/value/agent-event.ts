import type { NewEvent } from '../../../server/api/event/events.ts'

/** A command and its output in turn, as an agent at work logs them: about 700 bytes each. */
export function newEvent(index: number): NewEvent {
  const call = { tool_name: 'terminal', tool_call_id: `call_${index >> 1}` }
  const command = `grep -rn "something ${index >> 1}" src`
  if (index % 2 === 0) {
    return {
      kind: 'ActionEvent',
      source: 'agent',
      ...call,
      thought: [{ type: 'text', text: 'The failing test names this function, so I look at who calls it.' }],
      thinking_blocks: [],
      action: { kind: 'TerminalAction', command, is_input: false, reset: false },
      tool_call: {
        id: call.tool_call_id,
        name: 'terminal',
        arguments: JSON.stringify({ command }),
        origin: 'completion',
      },
      llm_response_id: `response_${index}`,
      security_risk: 'LOW',
    }
  }
  return {
    kind: 'ObservationEvent',
    source: 'environment',
    ...call,
    action_id: `action_${index}`,
    observation: {
      kind: 'TerminalObservation',
      content: [{ type: 'text', text: 'src/parser.py:120:    return something(line)\n'.repeat(6) }],
      is_error: false,
      command,
      exit_code: 0,
      timeout: false,
      metadata: { exit_code: 0, pid: 42, working_dir: '/workspace/project', prefix: '', suffix: '' },
    },
  }
}
