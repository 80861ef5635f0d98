import type { Content } from '../../api/event/content.ts'
import type { EventOf } from '../../api/event/events.ts'
import type { EventFrame } from '../../api/event/frames.ts'
import { plainLine, plainText } from './plain-text.ts'
import type { Style } from './terminal.ts'

export interface Line {
  text: string
  style?: Style
}

const MAX_OUTPUT_LINES = 12

/** An event as a person reads it in a terminal; nothing for what only programs need. */
export function linesOf(frame: EventFrame): Line[] {
  if (!('seq' in frame)) return []
  switch (frame.kind) {
    case 'MessageEvent':
      return messageLines(frame)
    case 'ActionEvent':
      return actionLines(frame)
    case 'ObservationEvent':
      // Its action has said the same.
      if (frame.observation.kind === 'FinishObservation') return []
      return outputLines(textOf(frame.observation.content), frame.observation.is_error)
    case 'AgentErrorEvent':
      return outputLines(frame.error, true)
    case 'UserRejectObservation':
      return [{ text: `  rejected: ${plainLine(frame.rejection_reason)}`, style: 'yellow' }]
    case 'ConversationErrorEvent':
      return [{ text: `✗ ${plainText(frame.detail)}`, style: 'red' }]
    case 'HookExecutionEvent':
      return frame.success
        ? []
        : [{ text: `  hook: ${plainLine(frame.reason ?? frame.error ?? 'failed')}`, style: 'yellow' }]
    case 'PauseEvent':
    case 'InterruptEvent':
      return [{ text: '■ Stopped.', style: 'yellow' }]
    case 'Condensation':
      return [{ text: '  Earlier steps were summed up.', style: 'dim' }]
    default:
      return []
  }
}

/** What an action wants to do, on one line. */
export function actionLine({ action, tool_call, summary }: EventOf<'ActionEvent'>): string {
  const command = action && 'command' in action && 'is_input' in action ? `$ ${action.command}` : undefined
  if (command) return plainLine(command)
  return plainLine(`${tool_call.name}: ${summary ?? tool_call.arguments}`)
}

function messageLines({ llm_message }: EventOf<'MessageEvent'>): Line[] {
  const text = plainText(textOf(llm_message.content)).trim()
  if (text === '' || llm_message.role === 'system') return []
  if (llm_message.role === 'user') return [{ text: `› ${text.replaceAll('\n', '\n  ')}`, style: 'cyan' }]
  return [{ text }]
}

function actionLines(event: EventOf<'ActionEvent'>): Line[] {
  const thought = plainText(event.thought.map(({ text }) => text).join('\n')).trim()
  const final = event.action && 'message' in event.action ? plainText(String(event.action.message)).trim() : ''
  if (event.tool_call.name === 'finish') return final ? [{ text: final }] : []
  return [...(thought ? [{ text: thought }] : []), { text: `● ${actionLine(event)}`, style: 'bold' as const }]
}

function outputLines(output: string, isError: boolean): Line[] {
  const lines = plainText(output).trimEnd().split('\n')
  if (lines.length === 1 && lines[0] === '') return []
  const left = lines.length - MAX_OUTPUT_LINES
  const shown = left > 0 ? [...lines.slice(0, 4), `… ${left} lines …`, ...lines.slice(4 + left)] : lines
  return shown.map(line => ({
    text: `  ${plainLine(line, 160)}`,
    style: isError ? ('red' as const) : ('dim' as const),
  }))
}

function textOf(content: readonly Content[]): string {
  return content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n')
}
