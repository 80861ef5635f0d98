import { lineText } from '../../input-text.ts'

const NAMES = ['llm', 'local', 'none', 'grayswan', 'invariant']

/**
 * Names of analyzers that the settings take. `grayswan` and `invariant` are services that other programs ask; here they
 * mean `local`, Atelier's own rules.
 */
export const analyzerName = lineText(100)
  .nullable()
  .refine(
    value => !value || NAMES.includes(value.trim().toLowerCase()),
    `the names of analyzers are ${NAMES.join(', ')}`,
  )

export const ANALYZER_NAME =
  'What rates the risk of actions in new conversations: `llm`, `local` (also as `grayswan` or `invariant`), or null, `none` or an empty text for nothing.'
