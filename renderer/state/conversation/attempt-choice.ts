import { z } from 'zod'
import type { AttemptChoice } from '../../../server/api/v1/conversation/attempts.ts'

/** With what an attempt is made, as it is typed: a model, or a saved one by its name; with neither, that of the conversation. */
export const attemptModel = z.object({ model: z.string(), profile: z.string() })
export type AttemptModel = z.output<typeof attemptModel>

const USUAL: AttemptModel = { model: '', profile: '' }

/** So many: the first ones as they are. */
export function resized(models: readonly AttemptModel[], count: number): AttemptModel[] {
  return Array.from({ length: count }, (_, index) => models[index] ?? USUAL)
}

export function attemptChoiceOf(models: readonly AttemptModel[], check: string) {
  return {
    models: models.map(({ model }) => model.trim() || null),
    profiles: models.map(({ profile }) => profile || null),
    check: check.trim() || null,
  } satisfies AttemptChoice
}

/** What `attemptChoiceOf` was made of. */
export function attemptModelsOf({ models, profiles }: AttemptChoice): AttemptModel[] {
  return models.map((model, index) => ({ model: model ?? '', profile: profiles?.[index] ?? '' }))
}
