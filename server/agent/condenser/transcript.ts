import type { Summary, ViewItem } from '../../event/condensed.ts'
import { textOf } from '../../event/model-messages.ts'
import { clipMiddle } from '../../text/clip.ts'
import { contentOf } from './size.ts'

/** What is quoted; summaries are not part of the log. */
export type LogItem = Exclude<ViewItem, Summary>

/** The room for a transcript, in characters. */
export interface Room {
  entry: number
  all: number
}

/** Items as quoted data: none of them can end its own element or begin another. */
export function transcriptOf(items: readonly LogItem[], room: Room): string {
  const entries = items.flatMap(item => toEntry(item) ?? [])
  const limit = fairLimit(
    entries.map(({ text }) => text.length),
    room,
  )
  return entries
    .map(({ label, text }, index) => `<entry n="${index + 1}" ${label}>\n${quoted(clip(text, limit))}\n</entry>`)
    .join('\n')
}

/** Text that cannot be taken for the elements around it. */
export function quoted(text: string): string {
  return text.replace(/<(\/?\s*(?:entry|log|task|earlier_summary|facts|summary)\b)/gi, '&lt;$1')
}

/** What was called and what came of it, a line each: what is left when no model can sum it up. */
export function outlineOf(items: readonly LogItem[], most: number): string {
  const lines = items.flatMap(item => {
    const entry = toEntry(item)
    return entry ? [`* ${entry.title}: ${clip(entry.text.replace(/\s+/g, ' ').trim(), OUTLINE_LINE)}`] : []
  })
  const left = lines.length - most
  return [...(left > 0 ? [`* ${left} earlier entries are left out`] : []), ...lines.slice(-most)].join('\n')
}

const OUTLINE_LINE = 200

interface Entry {
  label: string
  title: string
  text: string
}

function toEntry(item: LogItem): Entry | null {
  switch (item.kind) {
    case 'SystemPromptEvent':
      return null
    case 'MessageEvent': {
      const text = textOf([...item.llm_message.content, ...item.extended_content])
      return { label: `kind="message" from="${item.source}"`, title: `Message of the ${item.source}`, text }
    }
    case 'ActionEvent': {
      const tool = attribute(item.tool_name)
      const said = textOf(item.thought).trim() || (item.reasoning_content?.trim() ?? '')
      const text = `${said ? `${said}\n` : ''}${item.tool_call.arguments}`
      return { label: `kind="call" tool="${tool}"`, title: item.tool_name, text: text.trim() }
    }
    default: {
      const failed = item.kind !== 'ObservationEvent' || item.observation.is_error
      const label = `kind="result" tool="${attribute(item.tool_name)}"${failed ? ' failed="true"' : ''}`
      return { label, title: failed ? 'failed' : 'result', text: textOf(contentOf(item)) }
    }
  }
}

function attribute(text: string): string {
  return text.replace(/[^\w.-]+/g, '_').slice(0, 100)
}

function clip(text: string, limit: number): string {
  return clipMiddle(text, limit, () => `\n[… ${text.length} characters in all …]\n`)
}

/** How long each entry may be so that all fit: short ones leave their room to the long ones. */
function fairLimit(lengths: readonly number[], room: Room): number {
  let left = room.all
  const rising = [...lengths].sort((a, b) => a - b)
  for (const [index, length] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index))
    if (length > share) return Math.max(MIN_LENGTH, Math.min(share, room.entry))
    left -= length
  }
  return room.entry
}

/** Below this an entry says nothing any more. */
const MIN_LENGTH = 80
