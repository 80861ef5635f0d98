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
import type { Profiles } from '../../settings/profiles.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { ModelDocument, SecretValues, SpecDocument } from '../documents.ts'
import { damagedFile } from '../format.ts'

export interface AddDependencies {
  settings: Pick<SettingsService, 'read' | 'save' | 'toolServers'>
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
  const keys = new Map(values?.models.map(({ name, key }) => [name, key]))
  for (const { name, ...model } of models) {
    if (profiles.has(name)) {
      result.kept.models++
      continue
    }
    const api_key = keys.get(name)
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
  const given = new Map(values?.secrets.map(secret => [secret.name, secret]))
  for (const name of names) {
    const found = given.get(name)
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
  const added = Object.entries(values.provider_tokens).filter(([provider]) => !(provider in hosts))
  if (added.length === 0) return
  await attempt('Tokens of git providers', result, async () => {
    await tokens.merge(Object.fromEntries(added))
    result.provider_tokens = added.map(([provider]) => provider)
  })
}

/** What fails is named with the reason, and keeps nothing else away. */
export async function attempt(what: string, result: DataImportResult, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    result.problems.push(`${what}: ${messageOf(error)}`)
  }
}
