import type { HereDoc, Redirect, Redirection } from 'unbash'
import { bounded } from '../holes.ts'
import { findingOfRead, findingOfWrite } from '../paths.ts'
import { contentOf } from './content.ts'
import type { Desk } from './desk.ts'
import { expandParts, expandText } from './expand.ts'

export interface Streams {
  stdin: string | undefined
  /** Files that take what is printed; none when it goes on. */
  outputs: { path: string; append: boolean }[]
}

/** Looks at redirections in their order. */
export function applyRedirections(
  desk: Desk,
  redirections: readonly Redirection[],
  stdin: string | undefined,
): Streams {
  const streams: Streams = { stdin, outputs: [] }
  for (const redirection of redirections) {
    desk.spend()
    if (redirection.type === 'HereDoc') streams.stdin = bodyOf(desk, redirection)
    else if (redirection.type === 'HereString') {
      streams.stdin = redirection.target ? `${expandText(desk, redirection.target)}\n` : ''
    } else applyFile(desk, redirection, streams)
  }
  return streams
}

/** What goes on down the pipe after the files have taken theirs. */
export function deliver(desk: Desk, { outputs }: Streams, printed: string): string {
  if (outputs.length === 0) return printed
  for (const { path, append } of outputs) {
    const before = append ? (desk.scope.written.get(path) ?? '') : ''
    desk.scope.written.set(path, bounded(before + printed))
  }
  return ''
}

function bodyOf(desk: Desk, { body }: HereDoc): string {
  return body.parts ? expandParts(desk, body.parts) : body.text
}

function applyFile(desk: Desk, redirection: Redirect, streams: Streams): void {
  const { operator, target, descriptor } = redirection
  if (!target) return desk.report('MEDIUM', 'A part of the command could not be read')
  const path = expandText(desk, target)
  if (operator.endsWith('&') && /^(\d+-?|-)$/.test(path)) return
  const place = desk.place(path)
  const reads = operator === '<' || operator === '<>' || operator === '<&'
  if (reads) {
    const finding = findingOfRead(place)
    if (finding) desk.report(finding.risk, finding.reason)
    streams.stdin = contentOf(desk, path)
  }
  if (reads && operator !== '<>') return
  const finding = findingOfWrite(place)
  if (finding) desk.report(finding.risk, finding.reason)
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : 1
  if (number !== 1 && !operator.startsWith('&')) return
  if (/^\/dev\/(stdout|stderr|tty|fd\/[012])$/.test(place.path)) return
  streams.outputs.push({ path: place.path, append: operator.includes('>>') })
}
