import { EyeOff } from 'lucide-react'
import { HIDDEN } from '../../../server/api/contract/hidden-values.ts'
import { t } from '../text.ts'

/** Turn the order of what comes after them, so that a command could be read as another one than is run. */
const STEERING = /[\u202A-\u202E\u2066-\u2069]/
const SHOWN_AS_MARKS = new RegExp(`(${HIDDEN}|${STEERING.source})`)

/** A text in which each hidden secret is a quiet mark, and each character that turns the order of text can be seen. */
export function SecretText({ text }: { text: string }) {
  if (!SHOWN_AS_MARKS.test(text)) return text
  let at = 0
  return text.split(SHOWN_AS_MARKS).map(part => {
    const key = at
    at += part.length
    if (part === HIDDEN) return <HiddenSecret key={key} />
    if (STEERING.test(part)) return <Steering key={key} character={part} />
    return <span key={key}>{part}</span>
  })
}

function Steering({ character }: { character: string }) {
  const name = `U+${character.charCodeAt(0).toString(16).toUpperCase()}`
  return (
    <span
      title={t('characterThatCannotBeSeen')}
      className="mx-0.5 rounded-sm bg-bad-wash px-1 font-sans text-bad text-xs"
    >
      {name}
    </span>
  )
}

function HiddenSecret() {
  return (
    <span
      title={t('secretStandsHere')}
      className="mx-0.5 inline-flex items-center gap-1 rounded-sm bg-selected px-1 align-baseline font-sans text-soft text-xs"
    >
      <EyeOff size={10} aria-hidden />
      {t('secret')}
    </span>
  )
}
