import type { Action } from '../../../../../server/api/event/actions.ts'
import type { EventOf } from '../../../../../server/api/event/events.ts'
import type { Observation } from '../../../../../server/api/event/observations.ts'
import { ANSWER_REVIEW_COMMENT } from '../../../../../server/api/event/review-comments.ts'
import { splitContent } from '../../../../state/conversation/items.ts'
import { TaskListView } from '../../TaskListView.tsx'
import { ConversationLink } from '../line/ConversationLink.tsx'
import { InlineImages } from '../message/InlineImages.tsx'
import { Markdown } from '../message/Markdown.tsx'
import { TextBlock } from '../message/TextBlock.tsx'
import { t } from '../text.ts'
import { DiffView } from './DiffView.tsx'
import { PatchDiffs } from './PatchDiffs.tsx'
import { requestedChange } from './RequestBody.tsx'

/** What came of a call. */
export function ResultBody({ action, event }: { action: Action | null; event: EventOf<'ObservationEvent'> }) {
  const { observation, extended_content: added = [] } = event
  const addedText = splitContent(added).text
  return (
    <>
      {observation.is_error ? (
        <Output observation={observation} />
      ) : (
        <Result action={action} observation={observation} />
      )}
      {addedText && <TextBlock text={addedText} label={t('addedBySkillsAndHooks')} />}
    </>
  )
}

function Result({ action, observation }: { action: Action | null; observation: Observation }) {
  switch (observation.kind) {
    case 'FileEditorObservation':
      return <FileResult action={action} observation={observation} />
    case 'ApplyPatchObservation':
      return observation.commit ? (
        <PatchDiffs changes={observation.commit.changes} />
      ) : (
        <Output observation={observation} />
      )
    case 'TaskTrackerObservation':
      return <TaskListView tasks={observation.task_list} />
    case 'TaskObservation':
      return (
        <>
          <ConversationLink id={observation.task_id}>{t('openItsConversation')}</ConversationLink>
          <Prose observation={observation} without={`[task_id: ${observation.task_id}]`} />
        </>
      )
    case 'MCPToolObservation':
      // The answer itself is in the request.
      return observation.tool_name === ANSWER_REVIEW_COMMENT ? null : <Output observation={observation} />
    case 'InvokeSkillObservation':
      return <Prose observation={observation} />
    case 'BrowserObservation':
      return <BrowserResult observation={observation} />
    default:
      return <Output observation={observation} />
  }
}

type OfKind<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

function FileResult({ action, observation }: { action: Action | null; observation: OfKind<'FileEditorObservation'> }) {
  const diff = observation.command === 'view' ? null : diffOf(observation, action)
  if (!diff) return <Output observation={observation} />
  return (
    <div className="overflow-hidden rounded-md border border-line bg-surface">
      <DiffView path={observation.path} {...diff} />
    </div>
  )
}

/** Whole texts where they were recorded, else the piece that the call named. */
function diffOf(observation: OfKind<'FileEditorObservation'>, action: Action | null) {
  const { old_content, new_content, prev_exist } = observation
  if (new_content !== undefined && (!prev_exist || old_content !== undefined))
    return { before: old_content ?? '', after: new_content }
  return action?.kind === 'FileEditorAction' ? requestedChange(action) : null
}

/** The picture once: it is in the content too when the model saw it. */
function BrowserResult({ observation }: { observation: OfKind<'BrowserObservation'> }) {
  const { text, images } = splitContent(observation.content)
  const { screenshot_data } = observation
  const all = screenshot_data ? [...new Set([screenshot_data, ...images])] : images
  return (
    <>
      <InlineImages images={all} label={t('screenshot')} />
      {text.trim() && <TextBlock text={withoutBlankEnds(text)} label={t('page')} />}
    </>
  )
}

/** @param without what in it is meant for the agent alone */
function Prose({ observation, without = '' }: { observation: Observation; without?: string }) {
  const text = splitContent(observation.content).text.replace(without, '')
  return text.trim() ? <Markdown text={text} /> : <p className="text-faint">{t('noOutputSentence')}</p>
}

function Output({ observation }: { observation: Observation }) {
  const { text, images } = splitContent(observation.content)
  return (
    <>
      {text.trim() ? (
        <TextBlock text={withoutBlankEnds(text)} label={t('output')} tone={observation.is_error ? 'bad' : 'plain'} />
      ) : (
        images.length === 0 && <p className="text-faint">{t('noOutputSentence')}</p>
      )}
      <InlineImages images={images} />
    </>
  )
}

function withoutBlankEnds(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\n)+/, '')
}
