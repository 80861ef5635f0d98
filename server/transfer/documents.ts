import { z } from 'zod'
import { addressText, keyText } from '../api/input-text.ts'
import { modelOptions } from '../api/model-options.ts'
import { KEY_FIELDS } from '../api/v1/settings/key-fields.ts'
import { newProfile, profileName } from '../api/v1/settings/llm-profiles.ts'
import { secretName, secretText } from '../api/v1/settings/secret-text.ts'
import { providerTokens } from '../api/v1/settings/user-secrets.ts'
import type { PartName } from './format.ts'

const key = keyText()

/** The description is what the file of a single spec has, and is read as that is. */
const spec = z.object({ id: z.string().regex(/^[\w-]{1,100}$/), description: z.unknown() })
export type SpecDocument = z.output<typeof spec>

const model = z.object({
  name: profileName,
  model: newProfile.shape.model,
  base_url: addressText.nullable(),
  options: modelOptions,
})
export type ModelDocument = z.output<typeof model>

/** What stands in each part that is no conversation and not encrypted. */
export const DOCUMENTS = {
  settings: z.record(z.string().max(200), z.unknown()),
  models: z.array(model).max(1000),
  specs: z.array(spec).max(1000),
  secrets: z.array(z.object({ name: secretName, description: z.string().max(2000) })).max(10_000),
} as const satisfies Record<Exclude<PartName, 'secretValues'>, z.ZodType>

/** What a passphrase opens. */
export const secretValues = z.object({
  keys: z.partialRecord(z.enum(KEY_FIELDS), key),
  /** With what it carries: keys and environments. */
  mcp_config: z.unknown(),
  secrets: z.array(z.object({ name: secretName, description: z.string().max(2000), value: secretText })).max(10_000),
  models: z.array(z.object({ name: profileName, key })).max(1000),
  provider_tokens: providerTokens,
})
export type SecretValues = z.output<typeof secretValues>
