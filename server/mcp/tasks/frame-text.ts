import type { EventFrame } from '../../api/event/frames.ts'
import { clipEnd } from '../../text/clip.ts'

const MAX_LENGTH = 300

/** What has happened, in one short line; undefined for what only programs need. */
export function describeFrame(frame: EventFrame): string | undefined {
  if (!('seq' in frame)) return undefined
  switch (frame.kind) {
    case 'MessageEvent':
      return frame.llm_message.role === 'assistant' ? clip(`says: ${textOf(frame.llm_message.content)}`) : undefined
    case 'ActionEvent':
      return clip(`${frame.tool_call.name}: ${frame.summary ?? frame.tool_call.arguments}`)
    case 'ConversationErrorEvent':
      return clip(frame.detail)
    default:
      return undefined
  }
}

function textOf(content: readonly { type: string }[]): string {
  return content.map(part => ('text' in part ? String(part.text) : '[image]')).join(' ')
}

function clip(text: string): string {
  return clipEnd(text.replace(/\s+/g, ' ').trim(), MAX_LENGTH)
}
