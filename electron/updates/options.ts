import type { PackageKind, UpdateFeed } from './config.ts'
import type { FeedClient } from './feed-client.ts'
import type { Installer, InstallerOptions } from './installer.ts'

export interface UpdatesOptions {
  /** undefined where the package has none, null where it cannot be used. */
  feed: UpdateFeed | null | undefined
  kind: PackageKind
  /** The version that runs. */
  version: string
  /** The resources of the app. */
  resources: string
  /** Where packages and what is remembered are kept. */
  folder: string
  /** Loaded when something is asked: the start has no use for it. */
  open: (feed: UpdateFeed) => Promise<OpenedFeed>
  now: () => Date
  /** Makes a backup of the database. @returns its name */
  backUp: () => Promise<string>
  /** Whether the service of this version runs. */
  isServing: () => boolean
  /** Ends the app as a person does, who is asked about agents that work. */
  quit: () => void
}

export interface OpenedFeed {
  client: Pick<FeedClient, 'addressOf' | 'read' | 'download'>
  createInstaller: (options: InstallerOptions) => Installer
}
