import { useEffect, useState } from 'react'
import { colouring, type Lines } from './colouring.ts'
import type { Language } from './languages.ts'

/** A text that grows is not asked about at each of its characters. */
const PAUSE_MS = 120

/** The tokens of the lines of a text; none while they are not known. A text that has grown keeps those of its beginning. */
export function useColours(text: string, language: Language | null): Lines {
  const [known, setKnown] = useState<{ text: string; language: Language; lines: Lines } | null>(() => {
    const lines = language && colouring.known(text, language)
    return lines ? { text, language, lines } : null
  })
  const isKnown = known !== null && known.text === text && known.language === language
  useEffect(() => {
    if (language === null || isKnown || text === '') return
    const wanted = new AbortController()
    const timer = setTimeout(async () => {
      const lines = await colouring.linesOf(text, language, wanted.signal)
      if (!wanted.signal.aborted) setKnown({ text, language, lines: lines ?? [] })
    }, PAUSE_MS)
    return () => {
      wanted.abort()
      clearTimeout(timer)
    }
  }, [text, language, isKnown])
  if (isKnown) return known.lines
  const hasGrown = known !== null && known.language === language && text.startsWith(known.text)
  return hasGrown ? known.lines.slice(0, -1) : NONE
}

const NONE: Lines = []
