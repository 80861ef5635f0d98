/**
 * Settings that are keys: kept in the keychain, never in the database, and never returned. A reply has null for each, or a
 * mask, and `<field>_set` says whether one is stored.
 */
export const KEY_FIELDS = ['llm_api_key', 'llm_fallback_api_key', 'search_api_key', 'sandbox_api_key'] as const
export type KeyField = (typeof KEY_FIELDS)[number]

export function forEachKey<Value>(valueFor: (field: KeyField) => Value): Record<KeyField, Value> {
  return Object.fromEntries(KEY_FIELDS.map(field => [field, valueFor(field)])) as Record<KeyField, Value>
}
