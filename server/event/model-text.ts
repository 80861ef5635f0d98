import type { Content } from '../api/event/content.ts'
import type { Observation } from '../api/event/observations.ts'

const ERROR_HEADER = '[An error occurred during execution.]\n'

/** What the model reads of an observation: its content, and for a command also what surrounds its output. */
export function modelContent(observation: Observation): Content[] {
  if (observation.kind !== 'TerminalObservation') return observation.content
  const { metadata, content, is_error } = observation
  const output = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
  const lines = [
    (is_error ? ERROR_HEADER : '') + metadata.prefix + output + metadata.suffix,
    ...(metadata.working_dir ? [`[Current working directory: ${metadata.working_dir}]`] : []),
    ...(metadata.py_interpreter_path ? [`[Python interpreter: ${metadata.py_interpreter_path}]`] : []),
    ...(metadata.exit_code === -1 ? [] : [`[Command finished with exit code ${metadata.exit_code}]`]),
  ]
  return [{ type: 'text', text: lines.join('\n').replace(/^\n/, '') }]
}
