import { CodeText } from './CodeText.tsx'
import type { Language } from './languages.ts'
import { useColours } from './use-colours.ts'

/** A text of several lines in the colours of its language; to be put where spaces and line breaks are kept. */
export function CodeLines({ text, language }: { text: string; language: Language }) {
  const colours = useColours(text, language)
  let at = 0
  return text.split('\n').map((line, index) => {
    const key = at
    at += line.length + 1
    return (
      <span key={key}>
        {index > 0 && '\n'}
        <CodeText text={line} tokens={colours[index]} />
      </span>
    )
  })
}
