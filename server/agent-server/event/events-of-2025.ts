import { content } from '../../api/event/content.ts'
import type { EventFrame } from '../../api/event/frames.ts'
import type { Observation } from '../../api/event/observations.ts'

/**
 * What an event has in the place of its fields for clients of November 2025. They know the terminal's events as ExecuteBash*,
 * read the result of thinking and of the list of tasks as one text, and know no source `hook`.
 */
export function fieldsOf2025(event: EventFrame): Record<string, unknown> {
  switch (event.kind) {
    case 'SystemPromptEvent':
      return { tools: event.tools.map(toFunction) }
    case 'ActionEvent':
      return event.action?.kind === 'TerminalAction' ? { action: { ...event.action, kind: 'ExecuteBashAction' } } : {}
    case 'ObservationEvent':
      return {
        observation: { ...event.observation, ...olderFields(event.observation), ...observedIn2025(event.observation) },
        // They draw this observation in the place of the message that it repeats, unless it is the agent's.
        ...(event.observation.kind === 'FinishObservation' && { source: 'agent' }),
      }
    case 'HookExecutionEvent':
      return { source: 'environment' }
    default:
      return {}
  }
}

function observedIn2025(observation: Observation): Record<string, unknown> {
  switch (observation.kind) {
    case 'TerminalObservation':
      return { kind: 'ExecuteBashObservation' }
    case 'ThinkObservation':
    case 'TaskTrackerObservation':
      return { content: textOf(observation) }
    case 'FinishObservation':
      return { message: textOf(observation) }
    default:
      return {}
  }
}

/** Beside the fields of today, which stay: `error` of a command says whether, and of anything else what. */
export function olderFields(observation: Observation): Record<string, unknown> {
  const text = textOf(observation)
  if (observation.kind === 'TerminalObservation') return { output: text, error: observation.is_error }
  return observation.is_error ? { output: '', error: text } : { output: text }
}

function textOf(observation: Observation): string {
  return observation.content
    .map(part => {
      const parsed = content.parse(part)
      return parsed.type === 'text' ? parsed.text : ''
    })
    .filter(Boolean)
    .join('\n')
}

/** As the API of OpenAI has it. The log does not keep the schemas of a tool's arguments. */
function toFunction({ name, description }: Record<string, unknown>): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties: {} } } }
}
