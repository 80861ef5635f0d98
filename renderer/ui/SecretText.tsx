import { EyeOff } from 'lucide-react'

/** What the service writes in the place of a secret's value. */
export const HIDDEN = '<secret-hidden>'

/** A text in which each hidden secret is a quiet mark. */
export function SecretText({ text }: { text: string }) {
  if (!text.includes(HIDDEN)) return text
  const parts = text.split(HIDDEN)
  let at = 0
  return parts.map((part, place) => {
    const key = at
    at += part.length + HIDDEN.length
    return (
      <span key={key}>
        {place > 0 && <HiddenSecret />}
        {part}
      </span>
    )
  })
}

function HiddenSecret() {
  return (
    <span
      title="A secret stands here. Its value is hidden."
      className="mx-0.5 inline-flex items-center gap-1 rounded-sm bg-selected px-1 align-baseline font-sans text-soft text-xs"
    >
      <EyeOff size={10} aria-hidden />
      secret
    </span>
  )
}
