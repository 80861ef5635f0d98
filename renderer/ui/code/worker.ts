import type { Language } from './languages.ts'
import { tokensOf } from './tokens.ts'

/** What the window asks for. It is answered with the id and `lines`, null where the text has no colours. */
export interface Asked {
  id: number
  text: string
  language: Language
}

addEventListener('message', async ({ data: { id, text, language } }: MessageEvent<Asked>) => {
  const lines = await tokensOf(text, language).catch(() => null)
  postMessage({ id, lines })
})
