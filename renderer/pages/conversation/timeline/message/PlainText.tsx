import { type ReactNode, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { SecretText } from '../../../../ui/field/SecretText.tsx'
import { t } from '../text.ts'

/** So much of a text is laid out until somebody asks for more. */
const FIRST_CHARACTERS = 40_000

/** A text as it was written. A long one shows its beginning, with a button for the rest. */
export function PlainText({ text, children }: { text: string; children?: ReactNode }) {
  const [shown, setShown] = useState(FIRST_CHARACTERS)
  const left = text.length - shown
  return (
    <div className="flex flex-col items-start gap-2">
      {children}
      <p dir="auto" className="w-full whitespace-pre-wrap [overflow-wrap:anywhere]">
        <SecretText text={left > 0 ? text.slice(0, shown) : text} />
      </p>
      {left > 0 && (
        <Button size="small" onClick={() => setShown(shown + FIRST_CHARACTERS)}>
          {t('showMoreCharacters', { count: left })}
        </Button>
      )}
    </div>
  )
}
