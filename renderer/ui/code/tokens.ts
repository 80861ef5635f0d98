import { createHighlighterCore, type HighlighterCore, type ThemeRegistration } from '@shikijs/core'
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript'
import { GRAMMARS } from './grammars.ts'
import { KINDS, type Token } from './kinds.ts'
import type { Language } from './languages.ts'

/** By TextMate's naming conventions, https://macromates.com/manual/en/language_grammars#naming-conventions. */
const SCOPES: Record<(typeof KINDS)[number], string[]> = {
  comment: ['comment', 'punctuation.definition.comment', 'markup.quote'],
  string: ['string', 'punctuation.definition.string', 'markup.inline.raw', 'markup.inserted', 'constant.other.symbol'],
  number: ['constant.numeric', 'constant.language', 'constant.character', 'support.constant', 'keyword.other.unit'],
  keyword: ['keyword', 'storage', 'variable.language', 'punctuation.definition.heading', 'markup.heading'],
  function: ['entity.name.function', 'support.function', 'meta.function-call.generic', 'markup.underline.link'],
  type: ['entity.name.type', 'entity.name.class', 'entity.name.tag', 'support.type', 'support.class', 'markup.deleted'],
  name: ['entity.other.attribute-name', 'support.type.property-name', 'meta.object-literal.key', 'variable.other.key'],
}

const PLAIN = 'keyword.operator, storage.type.function.arrow, punctuation.separator, string meta.embedded'.split(', ')

/** Kinds travel as colours, which is all that a theme can say. */
const colourOf = (kind: number) => `#${kind.toString(16).padStart(6, '0')}`

const THEME: ThemeRegistration = {
  name: 'kinds',
  type: 'light',
  fg: colourOf(0),
  bg: '#ffffff',
  settings: [
    { settings: { foreground: colourOf(0) } },
    ...KINDS.map((kind, index) => ({ scope: SCOPES[kind], settings: { foreground: colourOf(index + 1) } })),
    { scope: PLAIN, settings: { foreground: colourOf(0) } },
  ],
}

/** Time is not limited here: the first line of a language takes long, as its expressions are made then. */
const LIMITS = { tokenizeMaxLineLength: 1_000, tokenizeTimeLimit: 0 }

let highlighter: Promise<HighlighterCore> | undefined

/** The tokens of each line. A line that is too long is plain. */
export async function tokensOf(text: string, language: Language): Promise<Token[][]> {
  highlighter ??= createHighlighterCore({
    themes: [THEME],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const core = await highlighter
  if (!core.getLoadedLanguages().includes(language)) {
    await core.loadLanguage(GRAMMARS[language]())
  }
  const lines = core.codeToTokensBase(text, { lang: language, theme: THEME.name ?? '', ...LIMITS })
  return lines.map(line => {
    let end = 0
    const tokens: Token[] = []
    for (const { content, color } of line) {
      end += content.length
      const kind = Number.parseInt(color?.slice(1) ?? '0', 16)
      if (tokens.at(-1)?.[1] === kind) tokens.pop()
      tokens.push([end, kind])
    }
    return tokens
  })
}
