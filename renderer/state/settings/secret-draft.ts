import { type NewSecret, newSecret } from '../../../server/api/v1/settings/secrets.ts'
import { t } from './text.ts'

/** A secret as it is typed. */
export interface SecretDraft {
  name: string
  value: string
  description: string
}

export type SecretErrors = Partial<Record<keyof SecretDraft, string>>

export const EMPTY_SECRET: SecretDraft = { name: '', value: '', description: '' }

/** The value goes as it is: a space at its end may belong to it. */
export function newSecretOf({ name, value, description }: SecretDraft): NewSecret {
  return { name: name.trim(), value, description: description.trim() }
}

/** An empty value keeps the stored one. */
export function changeOf({ name, value, description }: SecretDraft) {
  return { name: name.trim(), description: description.trim(), value: value === '' ? null : value }
}

const WORDS: Readonly<Record<keyof SecretDraft, string>> = {
  name: t('secretNameTooLong'),
  value: t('valueTooLong'),
  description: t('thisDescriptionDoesNotFit'),
}

const EMPTY: Readonly<Record<keyof SecretDraft, string>> = {
  name: t('giveSecretName'),
  value: t('giveValue'),
  description: t('giveDescription'),
}

/** What is wrong with the draft, by the service's own schema, and what cannot be meant. */
export function secretErrors(
  draft: SecretDraft,
  known: { taken: readonly string[]; valueIsSet: boolean },
): SecretErrors {
  const asked = newSecretOf(known.valueIsSet && draft.value === '' ? { ...draft, value: 'stored' } : draft)
  const errors: SecretErrors = {}
  for (const { path } of newSecret.safeParse(asked).error?.issues ?? []) {
    const field = path[0]
    if (field === 'name' || field === 'value' || field === 'description')
      errors[field] = draft[field].trim() === '' ? EMPTY[field] : WORDS[field]
  }
  if (known.taken.includes(draft.name.trim())) errors.name = t('anotherSecretHasThisName')
  return errors
}
