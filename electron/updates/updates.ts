import { dirname } from 'node:path'
import type { UpdateAction, UpdateProblem, UpdateRelease, UpdateState, Updates as UpdatesShown } from '../ipc.ts'
import { removeReplaced } from './folder.ts'
import type { Installer } from './installer.ts'
import { keepDescription, readDescription, removePackages } from './kept.ts'
import type { OpenedFeed, UpdatesOptions } from './options.ts'
import { problemOf, UpdateError } from './problem.ts'
import { isDue, readRecord, type UpdateRecord, writeRecord } from './record.ts'
import { fileFor, isNewer, latestName, nameOfVersion, type Release, readRelease, type SignedText } from './release.ts'

interface Found {
  shown: UpdateRelease
  release: Release
  signed: SignedText
}

const FIRST_LOOK_MS = 20_000
const LOOK_MS = 60 * 60_000

/**
 * The updates of the installed app: looks for them once it may, fetches one when asked to, and installs it when the person quits.
 *
 * INVARIANTS: nothing is asked before a person has agreed or asks; nothing is fetched that no key of this package has signed;
 * nothing is installed without a backup of the database.
 */
export class Updates {
  readonly #options: UpdatesOptions
  #record: UpdateRecord
  #state: UpdateState
  #found: Found | undefined
  #installer: Installer | undefined
  #startsAgain = false
  #cancel: AbortController | undefined
  #opened: Promise<OpenedFeed> | undefined
  #onChange: (updates: UpdatesShown) => void = () => {}

  constructor(options: UpdatesOptions) {
    const { feed, folder } = options
    this.#options = options
    this.#record = readRecord(folder)
    if (feed) this.#state = { kind: 'idle', problem: this.#settleLast() }
    else this.#state = { kind: 'unavailable', reason: feed === undefined ? 'no_feed' : 'broken_feed' }
  }

  shown(): UpdatesShown {
    const { allowed, checkedAt, previous } = this.#record
    return { version: this.#options.version, allowed, checkedAt, state: this.#state, previous }
  }

  /** Begins to look, as often as it may, and says what changes. */
  start(onChange: (updates: UpdatesShown) => void): void {
    const { feed, kind, resources, isServing, now } = this.#options
    this.#onChange = onChange
    if (!feed) return
    const look = async () => {
      if (isDue(this.#record, now())) await this.act('check')
      setTimeout(() => void look(), LOOK_MS).unref()
    }
    const first = async () => {
      // The one before stays as long as this one has not shown that it works.
      if (kind === 'tar' && isServing()) await removeReplaced(dirname(resources))
      await this.#showWaiting()
      await look()
    }
    setTimeout(() => void first(), FIRST_LOOK_MS).unref()
  }

  /** Never rejects: what fails is in the state. */
  async act(action: UpdateAction): Promise<void> {
    const { kind } = this.#state
    if (kind === 'unavailable' || kind === 'installing') return
    if (action === 'allow' || action === 'forbid') {
      this.#remember({ allowed: action === 'allow' })
      if (isDue(this.#record, this.#options.now())) await this.act('check')
      return
    }
    const isBusy = kind === 'checking' || kind === 'downloading'
    if (action === 'cancel') this.#cancel?.abort(new UpdateError('cut_off', null))
    else if (action === 'check' && !isBusy && kind !== 'ready') await this.#check()
    else if (action === 'download' && kind === 'available') await this.#download()
    else if (action === 'go_back' && !isBusy) await this.#goBack()
    else if (action === 'install' && kind === 'ready') {
      this.#startsAgain = true
      this.#options.quit()
    }
  }

  /** The person has decided not to quit after all. */
  stay(): void {
    this.#startsAgain = false
  }

  /**
   * When a person quits and the service still runs.
   * @returns false when the app goes on, since the update that it was to end for cannot be installed
   */
  async prepare(): Promise<boolean> {
    if (this.#state.kind !== 'ready') return true
    const { release } = this.#state
    this.#show({ kind: 'installing', release })
    try {
      const backup = await this.#options.backUp()
      this.#remember({ installing: { version: release.version, from: this.#options.version, backup, problem: null } })
      return true
    } catch (error) {
      this.#show({ kind: 'ready', release, problem: problemOf(error, 'no_backup') })
      const goesOn = this.#startsAgain
      this.#startsAgain = false
      return !goesOn
    }
  }

  /** Whether something is to be installed when the service is closed. */
  isPrepared(): boolean {
    return this.#state.kind === 'installing'
  }

  /** When the service is closed. Blocks until what was prepared is installed. @returns whether the app is to be started again */
  install(): boolean {
    const { installing } = this.#record
    if (this.#state.kind !== 'installing' || !installing) return false
    try {
      this.#installer?.install({ startsAgain: this.#startsAgain })
    } catch (error) {
      this.#remember({ installing: { ...installing, problem: problemOf(error, 'not_installed') } })
      return this.#startsAgain
    }
    // The installer of Windows starts it by itself.
    return this.#startsAgain && this.#options.kind !== 'nsis'
  }

  /** What became of what the app ended for. */
  #settleLast(): UpdateProblem | null {
    const { installing } = this.#record
    if (!installing) return null
    const { version, from, backup, problem } = installing
    if (version === this.#options.version) {
      this.#remember({ installing: null, ready: null, previous: { version: from, backup } })
      return null
    }
    this.#remember({ installing: null })
    return problem ?? { code: 'not_installed', detail: null }
  }

  /** What was downloaded before the last end of the app, which then asked nobody, waits on. */
  async #showWaiting(): Promise<void> {
    const { ready } = this.#record
    const signed = ready === null ? undefined : readDescription(this.#options.folder, ready)
    if (!signed || this.#state.kind !== 'idle') return
    const { problem } = this.#state
    try {
      const found = await this.#read(signed)
      if (found.release.version !== ready || !isNewer(ready, this.#options.version)) return
      this.#found = found
      this.#show({ kind: 'available', release: found.shown, problem })
    } catch {
      // The next look finds it, or a newer one.
    }
  }

  async #check(): Promise<void> {
    this.#show({ kind: 'checking' })
    const signal = this.#begin()
    try {
      const { client } = await this.#open()
      const found = await this.#read(await client.read(latestName(), signal))
      this.#remember({ checkedAt: this.#options.now().toISOString() })
      this.#found = found
      this.#offer(null)
    } catch (error) {
      // One that cannot be reached is not asked again all day.
      this.#remember({ checkedAt: this.#options.now().toISOString() })
      this.#offer(signal.aborted ? null : problemOf(error, 'unreachable'))
    }
  }

  /** What is known to be newer, and may be on the disk already, also where a later look has failed. */
  #offer(problem: UpdateProblem | null): void {
    const found = this.#found
    const isNew = found && isNewer(found.release.version, this.#options.version)
    this.#show(isNew ? { kind: 'available', release: found.shown, problem } : { kind: 'idle', problem })
  }

  async #download(): Promise<void> {
    const found = this.#found
    if (!found || found.shown.manual) return
    const { folder, kind, version, resources } = this.#options
    const { release, signed, shown } = found
    if (kind === 'manual') return
    const signal = this.#begin()
    this.#show({ kind: 'downloading', release: shown, receivedBytes: 0 })
    try {
      const { client, createInstaller } = await this.#open()
      const { previous } = this.#record
      removePackages(folder, [version, release.version, ...(previous ? [previous.version] : [])])
      keepDescription(folder, release.version, signed)
      const file = fileFor(release, kind)
      this.#installer = createInstaller({ kind, release, file, client, folder, version, resources })
      await this.#installer.download({ signal, onProgress: bytes => this.#progress(shown, bytes) })
      this.#remember({ ready: release.version })
      this.#show({ kind: 'ready', release: shown, problem: null })
    } catch (error) {
      const problem = signal.aborted ? null : problemOf(error, 'cut_off')
      this.#show({ kind: 'available', release: shown, problem })
    }
  }

  /** Fetches the version before, from this disk where its package was kept. */
  async #goBack(): Promise<void> {
    const { previous } = this.#record
    if (!previous) return
    this.#show({ kind: 'checking' })
    const signal = this.#begin()
    try {
      const { client } = await this.#open()
      const kept = readDescription(this.#options.folder, previous.version)
      const found = await this.#read(kept ?? (await client.read(nameOfVersion(previous.version), signal)))
      if (found.release.version !== previous.version)
        throw new UpdateError('bad_feed', `${found.release.version} is described there.`)
      this.#found = found
      this.#show({ kind: 'available', release: found.shown, problem: null })
    } catch (error) {
      this.#show({ kind: 'idle', problem: signal.aborted ? null : problemOf(error, 'unreachable') })
      return
    }
    await this.#download()
  }

  async #read(signed: SignedText): Promise<Found> {
    const { feed, kind, version } = this.#options
    const { client } = await this.#open()
    const release = readRelease(signed, feed?.publicKeys ?? [])
    const file = fileFor(release, kind)
    const shown: UpdateRelease = {
      version: release.version,
      date: release.date,
      notes: release.notes,
      bytes: file.size,
      isOlder: !isNewer(release.version, version),
      manual: kind === 'manual' ? { url: client.addressOf(file.url), sha512: file.sha512 } : null,
    }
    return { shown, release, signed }
  }

  #open(): Promise<OpenedFeed> {
    const { feed, open } = this.#options
    if (!feed) throw new Error('There is no feed.')
    this.#opened ??= open(feed)
    return this.#opened
  }

  #begin(): AbortSignal {
    this.#cancel = new AbortController()
    return this.#cancel.signal
  }

  #progress(release: UpdateRelease, receivedBytes: number): void {
    const shown = this.#state.kind === 'downloading' ? this.#state.receivedBytes : 0
    // A hundred steps are as smooth as anybody sees.
    if (receivedBytes - shown >= release.bytes / 100) this.#show({ kind: 'downloading', release, receivedBytes })
  }

  #show(state: UpdateState): void {
    this.#state = state
    this.#onChange(this.shown())
  }

  #remember(change: Partial<UpdateRecord>): void {
    this.#record = { ...this.#record, ...change }
    try {
      writeRecord(this.#options.folder, this.#record)
    } catch {
      // A disk that is full forgets when it was looked, which costs one more look.
    }
    this.#onChange(this.shown())
  }
}
