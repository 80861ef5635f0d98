import type { NewSecret, SecretInfo, SecretPatch } from '../api/v1/settings/secrets.ts'
import type { UserSecrets } from '../api/v1/settings/user-secrets.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import { type Page, type PageQuery, pageOf } from '../paging/page.ts'
import type { SecretRow, SecretTable } from '../store/secrets.ts'
import { isUnchanged } from './mask/input.ts'
import { refuseReserved } from './mask/variable-names.ts'
import type { VaultItems } from './vault/items.ts'

interface Dependencies {
  table: SecretTable
  items: VaultItems
  bus: Bus
}

/** The user's own secrets: names and descriptions for everyone, values for the commands that name them. */
export class CustomSecrets {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Those that have a value. One that was kept for a session only has gone with it, and can be made anew. */
  async list(): Promise<SecretInfo[]> {
    const rows = this.#dependencies.table.all()
    await this.#dependencies.items.learn(rows.map(row => row.vault_item))
    return this.rows().map(({ name, description }) => ({ name, description }))
  }

  /** As `list`, without asking the vault. */
  rows(): SecretRow[] {
    return this.#dependencies.table.all().filter(row => !this.#dependencies.items.isGone(row.vault_item))
  }

  async search(query: PageQuery & { name__contains?: string | null | undefined }): Promise<Page<SecretInfo>> {
    const wanted = (query.name__contains ?? '').toLowerCase()
    return pageOf(
      (await this.list()).filter(secret => secret.name.toLowerCase().includes(wanted)),
      query,
    )
  }

  /** @throws AppError secret_exists, bad_request for a name that a shell needs, or one of the vault */
  async create({ name, value, description }: NewSecret): Promise<SecretInfo> {
    const { table, items } = this.#dependencies
    refuseReserved(name)
    await this.list()
    const created = { name, description: description ?? '' }
    await items.store([value], ([item = '']) => {
      const gone = this.#freeName(name)
      table.put({ ...created, vault_item: item })
      return gone ? [gone.vault_item] : []
    })
    this.#publish()
    return created
  }

  /** @throws AppError secret_not_found, secret_exists, bad_request, or one of the vault when there is a new value */
  async update(name: string, patch: SecretPatch & { value?: string | null | undefined }): Promise<SecretInfo> {
    const { table, items } = this.#dependencies
    if (patch.name !== name) refuseReserved(patch.name)
    const changed = { name: patch.name, description: patch.description ?? '' }
    await items.store(patch.value ? [patch.value] : [], ([item]) => {
      const before = this.#find(name)
      const gone = patch.name === name ? undefined : this.#freeName(patch.name)
      if (gone) table.delete(gone.name)
      table.update(name, changed)
      if (item) table.put({ ...changed, vault_item: item })
      return [...(gone ? [gone.vault_item] : []), ...(item ? [before.vault_item] : [])]
    })
    this.#publish()
    return changed
  }

  /** @throws AppError secret_not_found, or one of the vault */
  async delete(name: string): Promise<void> {
    const { table, items } = this.#dependencies
    const found = this.#find(name)
    await items.remove([found.vault_item], () => table.delete(name))
    this.#publish()
  }

  /**
   * Adds or replaces what is named; an entry without a value only describes. All values or none.
   * @throws AppError bad_request, or one of the vault
   */
  async merge(secrets: NonNullable<UserSecrets['custom_secrets']>): Promise<void> {
    const { table, items } = this.#dependencies
    const entries = Object.entries(secrets).map(([name, entry]) => {
      const { secret, description } = typeof entry === 'string' ? { secret: entry, description: null } : entry
      return { name, value: secret ?? '', description: description ?? table.get(name)?.description ?? '' }
    })
    const valued = entries.filter(({ value }) => !isUnchanged(value))
    for (const { name } of valued) refuseReserved(name)
    await items.store(
      valued.map(({ value }) => value),
      written => {
        for (const { name, description } of entries) table.update(name, { name, description })
        return valued.flatMap(({ name, description }, index) => {
          const before = table.get(name)
          table.put({ name, description, vault_item: written[index] ?? '' })
          return before ? [before.vault_item] : []
        })
      },
    )
    this.#publish()
  }

  /** @throws AppError secret_not_found */
  #find(name: string): SecretRow {
    const found = this.#dependencies.table.get(name)
    if (!found) throw new AppError('secret_not_found', `Secret with ID ${name} not found`)
    return found
  }

  /** @returns the row of that name whose value is gone, if any. @throws AppError secret_exists */
  #freeName(name: string): SecretRow | undefined {
    const found = this.#dependencies.table.get(name)
    if (!found || this.#dependencies.items.isGone(found.vault_item)) return found
    throw new AppError('secret_exists', `Secret ${name} already exists`)
  }

  #publish(): void {
    this.#dependencies.bus.publish({ resource: 'settings' })
  }
}
