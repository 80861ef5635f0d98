/** The languages of the window, by their subtag in BCP 47, each by its own name. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português (Brasil)',
  ja: '日本語',
  zh: '简体中文',
  ko: '한국어',
  ar: 'العربية',
} as const

export type Language = keyof typeof LANGUAGES

const RIGHT_TO_LEFT: readonly Language[] = ['ar']

/** One of ours for a BCP 47 tag of any region or script, such as `zh-CN`; undefined for one that the window does not have. */
export function languageOf(tag: string): Language | undefined {
  try {
    const { language } = new Intl.Locale(tag)
    return Object.hasOwn(LANGUAGES, language) ? (language as Language) : undefined
  } catch {
    return undefined
  }
}

/**
 * The tag to show sentences, dates and numbers in: that of the setting where there is one, else the first of the system's that the
 * window has. The system's region stays where its language is the chosen one.
 */
export function localeFor(setting: string | null, system: readonly string[]): { language: Language; tag: string } {
  const known = system.flatMap(tag => {
    const language = languageOf(tag)
    return language ? [{ language, tag }] : []
  })
  const chosen = setting === null ? undefined : languageOf(setting)
  if (!chosen) return known[0] ?? { language: 'en', tag: 'en' }
  return known.find(({ language }) => language === chosen) ?? { language: chosen, tag: chosen }
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr'
}
