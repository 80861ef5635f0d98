import { createTwoFilesPatch } from 'diff'
import { type Event, type EventOf, type ExecutionStatus, executionStatus } from '../../api/event/events.ts'
import type { Observation } from '../../api/event/observations.ts'
import type { AgentState, LegacyObservation } from '../../api/legacy/events.ts'
import { textOf } from '../../event/model-messages.ts'
import { callMetadata } from './actions.ts'
import { browserResultWords } from './browser.ts'

/** A tool call and its place in the log. */
export interface Call {
  seq: number
  event: EventOf<'ActionEvent'>
}

const STATES: Record<ExecutionStatus, AgentState> = {
  idle: 'awaiting_user_input',
  running: 'running',
  paused: 'paused',
  waiting_for_confirmation: 'awaiting_user_confirmation',
  finished: 'finished',
  error: 'error',
  stuck: 'error',
  deleting: 'stopped',
}

/** What clients are shown of a command's output: the beginning and the end. */
const MAX_OUTPUT = 30_000

/** The time grows with the square of it. */
const MAX_CHANGED_LINES = 1000

type Words = Pick<LegacyObservation, 'observation' | 'content' | 'extras' | 'message'> & { success?: boolean }

const NOTHING: Words = { observation: 'null', content: '', extras: {}, message: '' }

/** The legacy observation of an event that is no action there. */
export function toLegacyObservation(event: Event, call: Call | undefined): LegacyObservation {
  const base = { id: event.seq, timestamp: event.timestamp }
  const words = wordsOf(event, call)
  if (!call) return { ...base, source: 'environment', ...words }
  const answered = { cause: call.seq, tool_call_metadata: callMetadata(call.event) }
  return { ...base, source: call.event.source === 'user' ? 'user' : 'agent', ...answered, ...words }
}

function wordsOf(event: Event, call: Call | undefined): Words {
  switch (event.kind) {
    case 'ObservationEvent':
      return event.observation.kind === 'BrowserObservation'
        ? browserResultWords(event.observation, call?.event.action)
        : resultWords(event.observation, event.tool_name)
    case 'UserRejectObservation':
      return {
        observation: 'user_rejected',
        content: event.rejection_reason,
        extras: {},
        message: event.rejection_reason,
      }
    case 'AgentErrorEvent':
      return errorWords(event.error, '')
    case 'ConversationErrorEvent':
      return errorWords(event.detail, event.code)
    case 'ConversationStateUpdateEvent':
      return stateWords(event)
    default:
      return NOTHING
  }
}

function resultWords(result: Observation, tool: string): Words {
  const content = textOf(result.content)
  switch (result.kind) {
    case 'TerminalObservation':
      return {
        observation: 'run',
        content: cutMiddle(content),
        extras: { command: result.command, metadata: metadataOf(result.metadata), hidden: false },
        message: `Command \`${result.command}\` executed with exit code ${result.exit_code}.`,
        success: result.exit_code === 0,
      }
    case 'FileEditorObservation':
      return result.is_error ? errorWords(content, '') : editorWords(result, content)
    case 'ThinkObservation':
      return { observation: 'think', content, extras: {}, message: content }
    case 'TaskTrackerObservation':
      return {
        observation: 'task_tracking',
        content,
        extras: { command: result.command, task_list: result.task_list },
        message: content,
      }
    case 'FinishObservation':
      return NOTHING
    default:
      return result.is_error
        ? errorWords(content, '')
        : { observation: 'mcp', content, extras: { name: tool }, message: content }
  }
}

function metadataOf(metadata: Extract<Observation, { kind: 'TerminalObservation' }>['metadata']) {
  const { username = null, hostname = null, working_dir = null, py_interpreter_path = null, ...rest } = metadata
  return { ...rest, username, hostname, working_dir, py_interpreter_path }
}

function editorWords(result: Extract<Observation, { kind: 'FileEditorObservation' }>, content: string): Words {
  const { path, command } = result
  if (command === 'view') {
    return {
      observation: 'read',
      content,
      extras: { path, impl_source: 'oh_aci' },
      message: `I read the file ${path}.`,
    }
  }
  const extras = {
    path,
    prev_exist: result.prev_exist,
    old_content: result.old_content ?? null,
    new_content: result.new_content ?? null,
    impl_source: 'oh_aci',
    diff: diffOf(path, result.old_content ?? '', result.new_content ?? ''),
  }
  return { observation: 'edit', content, extras, message: `I edited the file ${path}.` }
}

/** Unified, with three lines of context. @returns null where the two have too little in common to be compared in time */
function diffOf(path: string, before: string, after: string): string | null {
  return (
    createTwoFilesPatch(path, path, before, after, '', '', { context: 3, maxEditLength: MAX_CHANGED_LINES }) ?? null
  )
}

function errorWords(content: string, error_id: string): Words {
  return { observation: 'error', content, extras: { error_id }, message: content }
}

function stateWords({ key, value }: EventOf<'ConversationStateUpdateEvent'>): Words {
  const status = key === 'execution_status' ? executionStatus.safeParse(value) : undefined
  if (!status?.success) return NOTHING
  const extras = { agent_state: STATES[status.data], reason: '' }
  return { observation: 'agent_state_changed', content: '', extras, message: '' }
}

export function toAgentState(status: ExecutionStatus): AgentState {
  return STATES[status]
}

function cutMiddle(text: string): string {
  if (text.length <= MAX_OUTPUT) return text
  const half = MAX_OUTPUT / 2
  return `${text.slice(0, half)}\n[... ${text.length - MAX_OUTPUT} characters left out ...]\n${text.slice(-half)}`
}
