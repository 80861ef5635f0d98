import type { HereDoc, Redirect, Redirection } from 'unbash'
import { findingOfRead, findingOfWrite } from '../paths.ts'
import { bounded } from '../taint.ts'
import type { ShellAnalysis } from './analysis.ts'
import { contentOf } from './content.ts'
import { expandParts, expandText } from './expand.ts'

export interface Streams {
  stdin: string | undefined
  /** Files that take what is printed; none when it goes on. */
  outputs: { path: string; append: boolean }[]
}

/** Looks at redirections in their order. */
export function applyRedirections(
  analysis: ShellAnalysis,
  redirections: readonly Redirection[],
  stdin: string | undefined,
): Streams {
  const streams: Streams = { stdin, outputs: [] }
  for (const redirection of redirections) {
    analysis.consumeBudget()
    if (redirection.type === 'HereDoc') streams.stdin = bodyOf(analysis, redirection)
    else if (redirection.type === 'HereString') {
      streams.stdin = redirection.target ? `${expandText(analysis, redirection.target)}\n` : ''
    } else applyFile(analysis, redirection, streams)
  }
  return streams
}

/** What goes on down the pipe after the files have taken theirs. */
export function deliver(analysis: ShellAnalysis, { outputs }: Streams, printed: string): string {
  if (outputs.length === 0) return printed
  for (const { path, append } of outputs) {
    const before = append ? (analysis.scope.written.get(path) ?? '') : ''
    analysis.scope.written.set(path, bounded(before + printed))
  }
  return ''
}

function bodyOf(analysis: ShellAnalysis, { body }: HereDoc): string {
  return body.parts ? expandParts(analysis, body.parts) : body.text
}

function applyFile(analysis: ShellAnalysis, redirection: Redirect, streams: Streams): void {
  const { operator, target, descriptor } = redirection
  if (!target) return analysis.report('MEDIUM', 'A part of the command could not be read')
  const path = expandText(analysis, target)
  if (operator.endsWith('&') && /^(\d+-?|-)$/.test(path)) return
  const place = analysis.classify(path)
  const reads = operator === '<' || operator === '<>' || operator === '<&'
  if (reads) {
    const finding = findingOfRead(place)
    if (finding) analysis.report(finding.risk, finding.reason)
    streams.stdin = contentOf(analysis, path)
  }
  if (reads && operator !== '<>') return
  const finding = findingOfWrite(place)
  if (finding) analysis.report(finding.risk, finding.reason)
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : 1
  if (number !== 1 && !operator.startsWith('&')) return
  if (/^\/dev\/(stdout|stderr|tty|fd\/[012])$/.test(place.path)) return
  streams.outputs.push({ path: place.path, append: operator.includes('>>') })
}
