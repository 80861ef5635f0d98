import type { Action } from '../../../../server/api/actions.ts'
import type { EventOf } from '../../../../server/api/events.ts'
import { type ActionItem, splitContent } from '../../../state/conversation-items.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { DiffView } from './DiffView.tsx'
import { InlineImages } from './InlineImages.tsx'
import { TextBlock } from './TextBlock.tsx'

type FileEditorAction = Extract<Action, { kind: 'FileEditorAction' }>

/** What an action's line unfolds to. */
export function ActionBody({ item }: { item: ActionItem }) {
  const { event, outcome } = item
  return (
    <div className="flex flex-col gap-2 py-1">
      {event.summary && <p className="hidden text-soft max-[640px]:block">{event.summary}</p>}
      <Request event={event} />
      {'event' in outcome && <Result action={event.action} answer={outcome.event} />}
    </div>
  )
}

function Request({ event: { action, tool_call } }: { event: EventOf<'ActionEvent'> }) {
  if (!action) return <TextBlock text={tool_call.arguments} label="Arguments" />
  if (action.kind === 'TerminalAction') return <Command command={action.command} />
  if (action.kind === 'FileEditorAction')
    return (
      <p className="flex items-center gap-1 font-mono text-soft text-sm">
        <span className="min-w-0 break-all">{action.path}</span>
        <CopyButton text={action.path} label="Copy path" />
      </p>
    )
  return null
}

function Command({ command }: { command: string }) {
  if (!command) return null
  return (
    <div className="flex items-start gap-1">
      <pre className="min-w-0 flex-1 whitespace-pre-wrap py-0.5 font-mono text-sm leading-5 [overflow-wrap:anywhere]">
        <span className="select-none text-faint">$ </span>
        {command}
      </pre>
      <CopyButton text={command} label="Copy command" />
    </div>
  )
}

type Answer = Extract<ActionItem['outcome'], { event: unknown }>['event']

function Result({ action, answer }: { action: Action | null; answer: Answer }) {
  if (answer.kind === 'AgentErrorEvent') return <TextBlock text={answer.error} label="Error" tone="bad" />
  if (answer.kind === 'UserRejectObservation') return <p className="text-soft">{answer.rejection_reason}</p>
  const { observation } = answer
  const { text, images } = splitContent(observation.content)
  if (observation.kind === 'FileEditorObservation' && !observation.is_error && observation.command !== 'view') {
    const diff = diffOf(observation, action?.kind === 'FileEditorAction' ? action : null)
    if (diff)
      return (
        <div className="overflow-hidden rounded-md border border-line bg-surface">
          <DiffView {...diff} label={`Changes in ${observation.path}`} />
        </div>
      )
  }
  return (
    <>
      {text.trim() ? (
        <TextBlock text={withoutBlankEnds(text)} label="Output" tone={observation.is_error ? 'bad' : 'plain'} />
      ) : (
        images.length === 0 && <p className="text-faint">No output.</p>
      )}
      <InlineImages images={images} />
    </>
  )
}

function withoutBlankEnds(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\n)+/, '')
}

type FileEditorObservation = Extract<EventOf<'ObservationEvent'>['observation'], { kind: 'FileEditorObservation' }>

/** Whole texts where they were recorded, else the piece that the call named. */
function diffOf(observation: FileEditorObservation, action: FileEditorAction | null) {
  const { old_content, new_content, prev_exist } = observation
  if (new_content !== undefined && (!prev_exist || old_content !== undefined))
    return { before: old_content ?? '', after: new_content }
  if (action?.command === 'create') return { before: '', after: action.file_text ?? '' }
  if (action?.command === 'str_replace') return { before: action.old_str ?? '', after: action.new_str ?? '' }
  return null
}
