import type { NetworkPolicy } from '../api/network-policy.ts'
import type { SandboxSpecInfo, SandboxSpecRequest } from '../api/v1/sandbox/specs.ts'
import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import type { Bus } from '../bus.ts'
import type { SandboxLabels } from '../docker/container/labels.ts'
import { AppError } from '../domain/errors.ts'
import { randomToken } from '../domain/ids.ts'
import { type Page, type PageQuery, pageOf } from '../paging/page.ts'
import type { SandboxSpecRow, SandboxSpecTable } from '../store/sandbox/specs.ts'
import { type MountPolicyContext, mountSource } from './files/mounts.ts'
import type { SandboxImages } from './image.ts'
import { checkPolicy } from './network/policies.ts'
import { cacheKey } from './shared-cache/volumes.ts'
import { type ImageSettings, ownSpec, SANDBOX, type SandboxSpec, sandboxSpecs, specOf } from './spec.ts'

export interface SandboxSpecsOptions {
  images: Pick<SandboxImages, 'reference'> & {
    /** null when that engine does not answer. */
    isPresent(reference: string, engineId: string): Promise<boolean | null>
  }
  table: SandboxSpecTable
  bus: Bus
  /** Read for each question: a setting counts from the next sandbox on. */
  imageSettings(): Promise<ImageSettings>
  isEngine(id: string): boolean
  /** Where mounts are taken from now on this engine. */
  mountGround(engineId: string): MountPolicyContext
}

const MAX_OWN_SPECS = 100
const MAX_TITLE = 100

/** What a sandbox can be started from; the first is the default. */
export class SandboxSpecs {
  readonly #options: SandboxSpecsOptions
  readonly #createdAt = new Date().toISOString()

  constructor(options: SandboxSpecsOptions) {
    this.#options = options
  }

  async search(query: PageQuery): Promise<Page<SandboxSpecInfo>> {
    const all = await this.#all()
    const page = pageOf(all, query)
    return { ...page, items: await Promise.all(page.items.map(spec => this.#info(spec, spec === all[0]))) }
  }

  /** Those that the person has made, oldest first. */
  async own(): Promise<SandboxSpec[]> {
    const own = new Set(this.#options.table.all().map(({ id }) => id))
    return (await this.#all()).filter(({ id }) => own.has(id))
  }

  /** What they are started from, the default's first. */
  async images(): Promise<string[]> {
    return (await this.#all()).map(({ image }) => image)
  }

  /** Which caches they share, as `cacheKey` names them. */
  async caches(): Promise<string[]> {
    return (await this.#all()).flatMap(({ id, caches }) => caches.map(cache => cacheKey(id, cache)))
  }

  /** In the order asked for; null for an unknown id. */
  async batch(ids: readonly string[]): Promise<(SandboxSpecInfo | null)[]> {
    const all = await this.#all()
    return Promise.all(
      ids.map(id => {
        const spec = all.find(each => each.id === id)
        return spec ? this.#info(spec, spec === all[0]) : null
      }),
    )
  }

  /** @throws AppError not_found */
  get(id: string): Promise<SandboxSpec> {
    return this.#find(id)
  }

  /** The one whose image is built under this name. */
  async builtAs(reference: string): Promise<SandboxSpec | undefined> {
    return (await this.#all()).find(({ image, dockerfile }) => dockerfile !== null && image === reference)
  }

  /** Empty for an unknown id. */
  async mountsOf(id: string): Promise<SandboxSpec['mounts']> {
    return (await this.#all()).find(each => each.id === id)?.mounts ?? []
  }

  /** Bytes that its sandboxes may write; of an unknown id the default. */
  async diskLimit(id: string): Promise<number> {
    return (await this.#all()).find(each => each.id === id)?.limits.disk_bytes ?? SANDBOX.diskBytes
  }

  /** @throws AppError bad_request for a mount that is refused, conflict when there are too many */
  async create(
    request: SandboxSpecRequest,
    { id = newSpecId(), importedFrom }: { id?: string; importedFrom?: string } = {},
  ): Promise<SandboxSpecInfo> {
    this.requireRoom()
    return this.#save({ id, createdAt: new Date().toISOString(), importedFrom }, request)
  }

  /** As it is, or with a number where another spec has it. */
  async freeTitle(title: string): Promise<string> {
    const taken = new Set((await this.#all()).map(spec => spec.title))
    for (let number = 2, free = title; ; number++) {
      if (!taken.has(free)) return free
      free = `${title.slice(0, MAX_TITLE - 6)} (${number})`
    }
  }

  /** @throws AppError conflict when there are as many as there may be */
  requireRoom(): void {
    if (this.#options.table.all().length < MAX_OWN_SPECS) return
    throw new AppError('conflict', `There are ${MAX_OWN_SPECS} sandbox specs already. Remove one first.`)
  }

  /** @throws AppError not_found, conflict for a built-in one, bad_request for a mount that is refused */
  async replace(id: string, request: SandboxSpecRequest): Promise<SandboxSpecInfo> {
    return this.#save(await this.#own(id, 'changed. Duplicate it and change the copy'), request)
  }

  /** @throws AppError not_found, conflict for a built-in one */
  async delete(id: string): Promise<void> {
    await this.#own(id, 'removed')
    this.#options.table.delete(id)
    this.#options.bus.publish({ resource: 'sandbox-spec', id })
  }

  /** @throws AppError not_found */
  async makeDefault(id: string): Promise<SandboxSpecInfo> {
    const spec = await this.#find(id)
    await this.#chooseDefault(spec.id, true)
    this.#options.bus.publish({ resource: 'sandbox-spec', id })
    return this.#info(spec, true)
  }

  /** Of which engine it is; without an id the default spec. @throws AppError not_found */
  async engineOf(id: string | null | undefined): Promise<string> {
    return (await this.#find(id)).engineId
  }

  /** Whether any spec of the person's chooses this engine. */
  choosesEngine(engineId: string): boolean {
    return this.#options.table.all().some(({ definition }) => definition.engine_id === engineId)
  }

  /**
   * With its mounts as the engine is to have them; without an id the default.
   * @throws AppError not_found, bad_request for a mount that is not there any more, and for a spec of another engine
   */
  async toStart(id: string | null | undefined, engineId: string): Promise<SandboxSpec> {
    const spec = await this.#find(id)
    if (spec.engineId !== engineId) {
      throw new AppError('bad_request', `"${spec.title}" was given another engine meanwhile. Start the sandbox again.`)
    }
    return { ...spec, mounts: await this.#sources(spec) }
  }

  /**
   * For a copy of a sandbox, which is on the same engine: limits and mounts as its spec has them now, everything else as the
   * sandbox has it, with `policy`. One whose spec is gone gets the limits of the default.
   */
  async toCopy(
    { specId, workingDir }: SandboxLabels,
    { image, policy, engineId }: { image: string; policy: NetworkPolicy; engineId: string },
  ): Promise<SandboxSpec> {
    const found = (await this.#all()).find(spec => spec.id === specId) ?? specOf(specId, specId)
    const known = { ...found, engineId, id: specId, image, workingDir: workingDir ?? found.workingDir, ...policy }
    return { ...known, mounts: await this.#sources(known) }
  }

  async resourceFactor(): Promise<number | null> {
    return (await this.#options.imageSettings()).resourceFactor
  }

  async #find(id: string | null | undefined): Promise<SandboxSpec> {
    const specs = await this.#all()
    const spec = id ? specs.find(each => each.id === id) : specs[0]
    if (spec) return spec
    throw new AppError('not_found', `There is no sandbox spec ${id}. Choose one of the list, or add one for the image.`)
  }

  async #save(known: Omit<SandboxSpecRow, 'definition'>, request: SandboxSpecRequest): Promise<SandboxSpecInfo> {
    const { is_default, ...given } = request
    const engineId = given.engine_id ?? DEFAULT_ENGINE
    if (!this.#options.isEngine(engineId)) {
      throw new AppError('bad_request', `There is no engine ${engineId}. Choose one of those that were added.`)
    }
    const definition = { ...given, engine_id: engineId === DEFAULT_ENGINE ? null : engineId }
    checkPolicy(definition)
    await this.#sources({ mounts: definition.mounts, engineId })
    this.#options.table.save({ ...known, definition })
    if (is_default !== undefined) await this.#chooseDefault(known.id, is_default)
    this.#options.bus.publish({ resource: 'sandbox-spec', id: known.id })
    const [info] = await this.batch([known.id])
    if (!info) throw new AppError('not_found', 'The sandbox spec was removed meanwhile.')
    return info
  }

  async #own(id: string, verb: string): Promise<SandboxSpecRow> {
    const own = this.#options.table.get(id)
    if (own) return own
    const { title } = await this.#find(id)
    throw new AppError('conflict', `"${title}" comes with Atelier or from the settings and cannot be ${verb}.`)
  }

  async #sources({
    mounts,
    engineId,
  }: Pick<SandboxSpec, 'mounts' | 'engineId'>): Promise<SandboxSpec['mounts'][number][]> {
    if (mounts.length === 0) return []
    const ground = this.#options.mountGround(engineId)
    return Promise.all(mounts.map(async mount => ({ ...mount, host_path: await mountSource(mount.host_path, ground) })))
  }

  async #chooseDefault(specId: string, chosen: boolean): Promise<void> {
    const { table } = this.#options
    const settingsImage = namedImage(await this.#options.imageSettings())
    if (chosen) table.chooseDefault({ specId, settingsImage })
    else if (table.chosenDefault()?.specId === specId) table.chooseDefault(undefined)
  }

  /** The last choice counts: an image that was named in the settings after a spec was made the default wins over it. */
  async #all(): Promise<SandboxSpec[]> {
    const { images, table, imageSettings } = this.#options
    const settings = await imageSettings()
    const specs = [...sandboxSpecs(images.reference, settings), ...table.all().map(ownSpec)]
    const choice = table.chosenDefault()
    const first = choice?.settingsImage === namedImage(settings) ? choice.specId : undefined
    return [...specs.filter(({ id }) => id === first), ...specs.filter(({ id }) => id !== first)]
  }

  async #info(spec: SandboxSpec, isDefault: boolean): Promise<SandboxSpecInfo> {
    return {
      id: spec.id,
      command: spec.command && [...spec.command],
      created_at: spec.createdAt ?? this.#createdAt,
      initial_env: { ...spec.initialEnv },
      working_dir: spec.workingDir,
      title: spec.title,
      image: spec.image,
      dockerfile: spec.dockerfile,
      image_present: await this.#options.images.isPresent(spec.image, spec.engineId),
      limits: { ...spec.limits },
      network: spec.network,
      allowlist: { presets: [...spec.allowlist.presets], hosts: [...spec.allowlist.hosts] },
      runtime: spec.runtime,
      mounts: spec.mounts.map(mount => ({ ...mount })),
      engine_id: spec.engineId === DEFAULT_ENGINE ? null : spec.engineId,
      caches: [...spec.caches],
      cluster: spec.cluster,
      is_default: isDefault,
      built_in: spec.createdAt === null,
      imported_from: spec.importedFrom ?? null,
    }
  }
}

export function newSpecId(): string {
  return `spec-${randomToken(12)}`
}

function namedImage(settings: Pick<ImageSettings, 'base' | 'runtime'>): string {
  return settings.runtime || settings.base || ''
}
