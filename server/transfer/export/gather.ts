import type { z } from 'zod'
import { isPersonalImage } from '../../api/v1/sandbox/image-reference.ts'
import { KEY_FIELDS } from '../../api/v1/settings/key-fields.ts'
import { settingsPatch } from '../../api/v1/settings/settings.ts'
import type { DataLeftOut } from '../../api/v1/transfer/exports.ts'
import type { SandboxSpec } from '../../sandbox/spec.ts'
import {
  describeSpec,
  personalBase,
  type SpecDescription,
  specDescription,
} from '../../sandbox/spec-file/description.ts'
import type { SandboxSpecs } from '../../sandbox/specs.ts'
import type { CustomSecrets } from '../../secret/custom-secrets.ts'
import { maskedFreeText } from '../../secret/mask/free-text.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { ProviderTokens } from '../../secret/provider-tokens.ts'
import type { VaultItems } from '../../secret/vault/items.ts'
import type { SettingsService } from '../../settings/service.ts'
import { DOCUMENTS, type ModelDocument, type SecretValues, type SpecDocument } from '../documents.ts'
import { PARTS, type PartName } from '../format.ts'
import { seal } from '../sealed.ts'
import { type LearnDependencies, learnSecrets } from './learn.ts'

export interface GatherDependencies extends LearnDependencies {
  settings: Pick<SettingsService, 'read' | 'toolServers'>
  specs: Pick<SandboxSpecs, 'own'>
  /** Of the image that comes with Atelier; null without one. */
  bundledImage: () => string | null
  secrets: Pick<CustomSecrets, 'list' | 'rows'>
  tokens: Pick<ProviderTokens, 'rows' | 'token'>
  items: Pick<VaultItems, 'read' | 'learnAll'>
  mask: Pick<Mask, 'add' | 'mask'>
}

/** All that is no conversation, as it is written. */
export interface Gathered {
  parts: { name: string; text: string }[]
  counts: { models: number; specs: number; secrets: number }
  leftOut: DataLeftOut
}

/**
 * @param passphrase null leaves the values of secrets out
 * @throws AppError of the vault
 */
export async function gather(dependencies: GatherDependencies, passphrase: string | null): Promise<Gathered> {
  const { settings, profiles, secrets, tokens, mask } = dependencies
  await learnSecrets(dependencies)
  const rows = profiles.all()
  const names = await secrets.list()
  const models: ModelDocument[] = rows.map(({ name, model, base_url, options }) => ({ name, model, base_url, options }))
  const specs = await describeSpecs(dependencies)
  const signedIn = tokens.rows().filter(({ renewal }) => renewal !== null)
  const values = passphrase === null ? null : await seal(JSON.stringify(await valuesOf(dependencies)), passphrase)
  const hidden = <Value>(schema: z.ZodType, value: Value) => maskedFreeText(schema, value, mask.mask)
  const documents: [PartName, unknown][] = [
    ['settings', hidden(settingsPatch, settings.read())],
    ['models', hidden(DOCUMENTS.models, models)],
    [
      'specs',
      specs.documents.map(({ id, description }) => ({ id, description: hidden(specDescription, description) })),
    ],
    ['secrets', hidden(DOCUMENTS.secrets, names)],
  ]
  return {
    parts: [
      ...documents.map(([part, value]) => ({ name: PARTS[part], text: JSON.stringify(value) })),
      ...(values === null ? [] : [{ name: PARTS.secretValues, text: values }]),
    ],
    counts: { models: models.length, specs: specs.documents.length, secrets: names.length },
    leftOut: {
      ...specs.leftOut,
      sign_ins: signedIn.map(({ provider }) => provider),
      damaged_conversations: 0,
      working_folders: [],
    },
  }
}

/** Each without what belongs to this machine, or may be secret. */
async function describeSpecs({ specs, bundledImage, mask }: GatherDependencies) {
  const documents: SpecDocument[] = []
  const leftOut = { specs: [] as string[], variables: [] as string[] }
  for (const spec of await specs.own()) {
    const image = imageOf(spec, bundledImage())
    if (image === null) {
      leftOut.specs.push(spec.title)
      continue
    }
    const description = describeSpec(spec, { image, imageVariables: {} }, mask.mask)
    leftOut.variables.push(...description.left_out.variables)
    documents.push({ id: spec.id, description })
  }
  return { documents, leftOut: { ...leftOut, variables: [...new Set(leftOut.variables)] } }
}

/** null for one that only this machine has. */
function imageOf({ image, dockerfile }: SandboxSpec, bundled: string | null): SpecDescription['image'] | null {
  if (dockerfile !== null) return hasPersonalBase(dockerfile) ? null : { kind: 'built' }
  if (image === bundled) return { kind: 'bundled' }
  return isPersonalImage(image) ? null : { kind: 'named', reference: image }
}

/** One that cannot be built is one that nobody can begin with. */
function hasPersonalBase(dockerfile: string): boolean {
  try {
    return personalBase(dockerfile) !== undefined
  } catch {
    return true
  }
}

/** A token of a sign-in is left out: whoever renews it takes it from the other computer. @throws AppError of the vault */
async function valuesOf({
  settings,
  profiles,
  secrets,
  tokens,
  items,
  vault,
}: GatherDependencies): Promise<SecretValues> {
  const values: SecretValues = {
    keys: {},
    mcp_config: (await settings.toolServers()).config,
    secrets: [],
    models: [],
    provider_tokens: {},
  }
  for (const field of KEY_FIELDS) {
    const key = await vault.get(field)
    if (key) values.keys[field] = key
  }
  for (const { name, description, vault_item } of secrets.rows()) {
    const value = await items.read(vault_item)
    if (value !== null) values.secrets.push({ name, description, value })
  }
  for (const { name, vault_item } of profiles.all()) {
    const key = vault_item && (await items.read(vault_item))
    if (key) values.models.push({ name, key })
  }
  for (const row of tokens.rows().filter(({ renewal }) => renewal === null)) {
    const token = await tokens.token(row)
    if (token) values.provider_tokens[row.provider] = { token, host: row.host, user_id: row.user_id }
  }
  return values
}
