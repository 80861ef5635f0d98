import { KEY_FIELDS, type KeyField } from '../../api/v1/settings/key-fields.ts'
import { mcpConfig } from '../../api/v1/settings/mcp.ts'
import { type SettingsPatch, settingsPatch } from '../../api/v1/settings/settings.ts'
import type { DataImportResult } from '../../api/v1/transfer/imports.ts'
import { messageOf } from '../../domain/errors.ts'
import {
  checkNamed,
  personalBase,
  readDescription,
  requestOf,
  type SpecDescription,
} from '../../sandbox/spec-file/description.ts'
import type { SandboxSpecs } from '../../sandbox/specs.ts'
import type { CustomSecrets } from '../../secret/custom-secrets.ts'
import type { ProviderTokens } from '../../secret/provider-tokens.ts'
import { addressOf } from '../../settings/model-address.ts'
import type { Profiles } from '../../settings/profiles.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { ModelDocument, SecretValues, SpecDocument } from '../documents.ts'
import { damagedFile } from '../format.ts'

export interface AddDependencies {
  settings: Pick<SettingsService, 'read' | 'save'>
  profiles: Pick<Profiles, 'has' | 'save'>
  specs: Pick<SandboxSpecs, 'batch' | 'create' | 'freeTitle'>
  /** Of the image that comes with Atelier; null without one. */
  bundledImage: () => string | null
  secrets: Pick<CustomSecrets, 'list' | 'create'>
  tokens: Pick<ProviderTokens, 'hosts' | 'merge'>
}

/** What is not here yet. One that cannot be added is named with the reason, and keeps none of the others away. */
export async function addModels(
  { profiles }: AddDependencies,
  {
    models,
    values,
    result,
  }: { models: readonly ModelDocument[]; values: SecretValues | null; result: DataImportResult },
): Promise<void> {
  for (const { name, ...model } of models) {
    if (profiles.has(name)) {
      result.kept.models++
      continue
    }
    const api_key = values?.models.find(one => one.name === name)?.key
    await attempt(`Saved model "${name}"`, result, async () => {
      await profiles.save(name, { ...model, api_key })
      result.added.models++
    })
  }
}

export async function addSpecs(
  { specs, bundledImage }: AddDependencies,
  { documents, fileName, result }: { documents: readonly SpecDocument[]; fileName: string; result: DataImportResult },
): Promise<void> {
  const known = await specs.batch(documents.map(({ id }) => id))
  for (const [index, { id, description }] of documents.entries()) {
    if (known[index]) {
      result.kept.specs++
      continue
    }
    await attempt('A sandbox spec', result, async () => {
      const read = readDescription(Buffer.from(JSON.stringify(description)))
      const request = requestOf(read, imageOf(read, bundledImage()))
      await specs.create({ ...request, title: await specs.freeTitle(request.title) }, { id, importedFrom: fileName })
      result.added.specs++
    })
  }
}

/** @throws AppError bad_request */
function imageOf({ image, spec }: SpecDescription, bundled: string | null): string | null {
  if (image.kind === 'named') {
    checkNamed(image.reference)
    return image.reference
  }
  if (image.kind === 'bundled' && bundled !== null) return bundled
  if (image.kind !== 'built' || !spec.dockerfile || personalBase(spec.dockerfile) !== undefined) {
    throw damagedFile('a sandbox spec has neither an image nor a Dockerfile')
  }
  return null
}

export async function addSecrets(
  { secrets, tokens }: AddDependencies,
  { names, values, result }: { names: readonly string[]; values: SecretValues | null; result: DataImportResult },
): Promise<void> {
  const here = new Set((await secrets.list()).map(({ name }) => name))
  for (const name of names) {
    const found = values?.secrets.find(secret => secret.name === name)
    if (here.has(name)) result.kept.secrets++
    else if (!found) result.secrets_without_value.push(name)
    else {
      await attempt(`Secret ${name}`, result, async () => {
        await secrets.create(found)
        result.added.secrets++
      })
    }
  }
  if (!values) return
  const hosts = await tokens.hosts()
  const given = Object.entries(values.provider_tokens).filter(([provider]) => !(provider in hosts))
  if (given.length === 0) return
  await attempt('Tokens of git providers', result, async () => {
    await tokens.merge(Object.fromEntries(given))
    result.provider_tokens = given.map(([provider]) => provider)
  })
}

/** Models whose keys are here; each with the setting of its address. */
const ADDRESSES = [
  { model: 'llm_model', address: 'llm_base_url', key: 'llm_api_key' },
  { model: 'llm_fallback_model', address: 'llm_fallback_base_url', key: 'llm_fallback_api_key' },
] as const

/**
 * The file's in the place of ours. A stored key goes to no address that a file names: without a key of its own its model
 * stays out.
 */
export async function takeSettings(
  { settings }: AddDependencies,
  {
    given,
    values,
    hasKey,
    result,
  }: {
    given: Readonly<Record<string, unknown>>
    values: SecretValues | null
    hasKey: (field: KeyField) => Promise<boolean>
    result: DataImportResult
  },
): Promise<void> {
  const fields: Record<string, unknown> = {}
  const shape: Readonly<Record<string, { safeParse(value: unknown): { success: boolean; data?: unknown } }>> =
    settingsPatch.shape
  for (const [name, value] of Object.entries(given)) {
    const isKept = (KEY_FIELDS as readonly string[]).includes(name) || name === 'mcp_config' || name === 'secrets_store'
    if (!(name in shape) || isKept) continue
    const parsed = shape[name]?.safeParse(value)
    if (parsed?.success) fields[name] = parsed.data
    else result.settings_kept.push(name)
  }
  const patch = fields as SettingsPatch
  for (const field of KEY_FIELDS) {
    const key = values?.keys[field]
    if (key) patch[field] = key
  }
  const now = settings.read()
  for (const { model, address, key } of ADDRESSES) {
    const isSame = addressOf(patch[model] ?? null, patch[address] ?? null) === addressOf(now[model], now[address])
    if (isSame || patch[key] || !(await hasKey(key))) continue
    for (const name of [model, address]) {
      delete patch[name]
      result.settings_kept.push(name)
    }
  }
  const servers = mcpConfig.safeParse(values?.mcp_config)
  if (servers.success) patch.mcp_config = servers.data
  await attempt('Settings', result, async () => {
    await settings.save(patch)
    result.settings = Object.keys(fields).filter(name => name in patch).length
  })
}

async function attempt(what: string, result: DataImportResult, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    result.problems.push(`${what}: ${messageOf(error)}`)
  }
}
