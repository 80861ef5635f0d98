import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { BOUNDS } from '../../domain/bounds.ts'
import type { ToolCallPart } from '../completion.ts'
import { AnswerFault } from './fault.ts'

/** A call whose arguments were too much. The answer ends with it. */
export type CutCall = ToolCallPart & Required<Pick<ToolCallPart, 'refused'>>

interface Growing {
  name: string
  characters: number
}

/**
 * Counts an answer while it comes, so that no model fills the memory. It looks at each part before that is kept.
 * @throws AnswerFault `too-large` for an answer that is of no use any more
 */
export function createAnswerBounds() {
  const calls = new Map<string, Growing>()
  let parts = 0
  let blocks = 0
  let text = 0
  let complete = 0

  /** @returns the call that the answer has to end with, if it has to */
  function count(part: LanguageModelV3StreamPart): CutCall | undefined {
    if (++parts > BOUNDS.modelParts.limit) throw tooLarge('came in too many pieces')
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        if (++blocks > BOUNDS.modelBlocks.limit) throw tooLarge('had too many parts')
        return undefined
      case 'text-delta':
      case 'reasoning-delta':
        text += part.delta.length
        if (text > BOUNDS.modelText.limit) throw tooLarge(`was longer than ${shown(BOUNDS.modelText.limit)} characters`)
        return undefined
      case 'tool-input-start':
        calls.set(part.id, { name: part.toolName, characters: 0 })
        return tooMany(calls.size, part.id, part.toolName)
      case 'tool-input-delta':
        return grown(part.id, calls.get(part.id), part.delta.length)
      case 'tool-call':
        calls.delete(part.toolCallId)
        return (
          checkArguments(part.toolCallId, part.toolName, part.input.length) ??
          tooMany(++complete, part.toolCallId, part.toolName)
        )
      default:
        return undefined
    }
  }

  function grown(id: string, call: Growing | undefined, characters: number): CutCall | undefined {
    if (!call) return undefined
    call.characters += characters
    return checkArguments(id, call.name, call.characters)
  }

  return { count }
}

function checkArguments(id: string, name: string, characters: number): CutCall | undefined {
  const { limit } = BOUNDS.toolArguments
  if (characters <= limit) return undefined
  return cutCall(id, name, `Its arguments were longer than ${shown(limit)} characters. Do it in several smaller calls.`)
}

function tooMany(count: number, id: string, name: string): CutCall | undefined {
  const { limit } = BOUNDS.toolCalls
  return count > limit
    ? cutCall(id, name, `One answer had more than ${shown(limit)} calls. Make fewer at a time.`)
    : undefined
}

function cutCall(id: string, name: string, why: string): CutCall {
  return { id, name, arguments: '{}', refused: `This call was not carried out. ${why}` }
}

function tooLarge(how: string): AnswerFault {
  return new AnswerFault('too-large', `The answer ${how}.`)
}

function shown(count: number): string {
  return count.toLocaleString('en-US')
}
