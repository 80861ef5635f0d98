import { isAppError } from '../domain/errors.ts'
import { type ModelTarget, resolveModel } from '../llm/provider.ts'

/** Where a model's requests go; null when it is not known. */
export function addressOf(model: string | null, baseUrl: string | null): string | null {
  return targetOf(model, baseUrl)?.baseUrl ?? null
}

export function targetOf(model: string | null, baseUrl: string | null): ModelTarget | null {
  try {
    return model ? resolveModel({ model, baseUrl: baseUrl || null, apiKey: null, namedBy: 'person' }) : null
  } catch (error) {
    if (isAppError(error)) return null
    throw error
  }
}
