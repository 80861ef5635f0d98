import { HIDDEN } from '../../../server/api/contract/hidden-values.ts'
import { SecretText } from '../field/SecretText.tsx'
import { KINDS, type Token } from './kinds.ts'

/** A stretch of a line; `changed` when its counterpart in a comparison does not have it. */
export interface Stretch {
  text: string
  changed: boolean
}

interface Props {
  text: string
  tokens: readonly Token[] | undefined
  stretches?: readonly Stretch[] | null
  /** The look of stretches that have changed. */
  mark?: string
}

/** One line of code in its colours. What has changed in it stays in the colour of text, which can be read on its mark. */
export function CodeText({ text, tokens, stretches, mark }: Props) {
  const hidden = text.includes(HIDDEN)
  if (!stretches && (!tokens || hidden)) return <SecretText text={text} />
  return pieces(text, hidden ? [] : (tokens ?? []), stretches ?? []).map(({ from, to, kind, changed }) => {
    const look = changed ? `rounded-sm ${mark ?? ''}` : LOOKS[kind]
    return look ? (
      <span key={from} className={look}>
        <SecretText text={text.slice(from, to)} />
      </span>
    ) : (
      <SecretText key={from} text={text.slice(from, to)} />
    )
  })
}

const LOOK_OF: Record<(typeof KINDS)[number], string> = {
  comment: 'text-code-comment',
  string: 'text-code-string',
  number: 'text-code-number',
  keyword: 'text-code-keyword',
  function: 'text-code-function',
  type: 'text-code-type',
  name: 'text-code-name',
}

const LOOKS = ['', ...KINDS.map(kind => LOOK_OF[kind])]

interface Piece {
  from: number
  to: number
  kind: number
  changed: boolean
}

/** The line cut at every end of a token, and of a stretch; a changed stretch is one piece. */
export function pieces(text: string, tokens: readonly Token[], stretches: readonly Stretch[]): Piece[] {
  const cut: Piece[] = []
  let token = 0
  let from = 0
  for (const { text: part, changed } of stretches.length > 0 ? stretches : [{ text, changed: false }]) {
    const end = from + part.length
    while (from < end) {
      while (token < tokens.length && (tokens[token]?.[0] ?? 0) <= from) token++
      const [tokenEnd, kind] = tokens[token] ?? [text.length, 0]
      const to = changed ? end : Math.min(end, tokenEnd)
      cut.push({ from, to, kind: changed ? 0 : kind, changed })
      from = to
    }
  }
  return cut
}
