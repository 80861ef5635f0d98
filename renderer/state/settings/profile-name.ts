import { profileName } from '../../../server/api/v1/settings/llm-profiles.ts'
import { t } from './text.ts'

/** What is wrong with the name of a saved model; undefined when nothing is. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name.trim() === '') return t('giveItName')
  if (!profileName.safeParse(name.trim()).success) {
    return t('profileNameProblem')
  }
  return taken.includes(name.trim()) ? t('nameIsTaken') : undefined
}

/** Proposed for a model: its own name without the provider, which is made to fit. */
export function proposedName(model: string, taken: readonly string[]): string {
  const bare = (model.split('/').at(-1) ?? '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_LENGTH - 4)
  if (bare === '' || !taken.includes(bare)) return bare
  const numbers = Array.from({ length: taken.length + 1 }, (_, index) => index + 2)
  return `${bare}-${numbers.find(number => !taken.includes(`${bare}-${number}`)) ?? ''}`
}

const MAX_LENGTH = 64
