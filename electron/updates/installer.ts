import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BaseUpdater, CancellationToken, NsisUpdater, type UpdateInfo } from 'electron-updater'
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js'
import { DownloadedUpdateHelper } from 'electron-updater/out/DownloadedUpdateHelper.js'
import type { PackageKind } from './config.ts'
import type { FeedClient, PackageDownload } from './feed-client.ts'
import { replaceFolder } from './folder.ts'
import { UpdateError } from './problem.ts'
import type { Release, ReleaseFile } from './release.ts'
import { installAsRoot } from './root.ts'

export interface InstallerOptions {
  kind: Exclude<PackageKind, 'manual'>
  release: Release
  file: ReleaseFile
  client: Pick<FeedClient, 'addressOf' | 'download'>
  /** Packages are kept here, in a folder for each version. */
  folder: string
  /** The version that runs. */
  version: string
  /** The resources of the app that runs. */
  resources: string
}

/** The package of one release. */
export interface Installer {
  /** Has it on disk, verified; one that is there already is only verified. Rejects with the signal's reason when cancelled. */
  download(options: PackageDownload): Promise<void>
  /** Blocks until it is installed, or on Windows until the installer waits for the end of the app. @throws UpdateError */
  install(options: { startsAgain: boolean }): void
}

/**
 * electron-updater keeps packages, verifies what it finds and runs installers. Everything that comes in between is ours: the
 * feed is signed, its client sends no id and is bounded, and packages of Linux are installed without a shell made of their path.
 */
export function createInstaller(options: InstallerOptions): Installer {
  const { kind, release, file, client, folder } = options
  let wanted: PackageDownload | undefined
  const download = async (_url: URL, target: string): Promise<string> => {
    if (wanted) await client.download(file, target, wanted)
    return target
  }
  const adapter = adapterOf(options)
  const updater =
    kind === 'nsis' ? new WindowsInstaller(file, adapter) : new LinuxPackage({ ...options, adapter, download })
  let failure: unknown
  updater.on('error', error => {
    failure = error
  })
  updater.logger = null
  updater.autoInstallOnAppQuit = false
  updater.disableDifferentialDownload = true
  updater.disableWebInstaller = true
  const url = new URL(client.addressOf(file.url))
  const info: UpdateInfo = {
    version: release.version,
    files: [file],
    path: file.url,
    sha512: file.sha512,
    releaseDate: release.date,
  }
  // A look of its own would send an id of this installation, which it writes to the disk; so what it would have found is given.
  Object.assign(updater, {
    updateInfoAndProvider: { info, provider: { resolveFiles: () => [{ url, info: file }] } },
    downloadedUpdateHelper: new DownloadedUpdateHelper(join(folder, release.version)),
    httpExecutor: { download },
  })
  return {
    async download(given) {
      wanted = given
      const token = new CancellationToken()
      await updater.downloadUpdate(token)
    },
    install({ startsAgain }) {
      failure = undefined
      if (updater.install(true, startsAgain)) return
      throw failure ?? new UpdateError('not_installed', null)
    },
  }
}

/** Where electron-updater would look for Electron, and for a configuration of its own. */
function adapterOf({ version, folder }: InstallerOptions): AppAdapter {
  return {
    version,
    name: 'Atelier',
    isPackaged: true,
    appUpdateConfigPath: join(folder, 'none.yml'),
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => {},
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  }
}

type DownloadOptions = Parameters<BaseUpdater['executeDownload']>[0]['downloadUpdateOptions']

interface LinuxPackageOptions extends InstallerOptions {
  adapter: AppAdapter
  download: (url: URL, target: string) => Promise<string>
}

/** What was verified after its download lies where every program of the person can write. */
function verifyAgain(path: string, { sha512 }: ReleaseFile): void {
  const found = createHash('sha512').update(readFileSync(path)).digest('base64')
  if (found !== sha512) throw new UpdateError('wrong_file', `${path} was changed after its download.`)
}

class WindowsInstaller extends NsisUpdater {
  readonly #file: ReleaseFile

  constructor(file: ReleaseFile, adapter: AppAdapter) {
    super(null, adapter)
    this.#file = file
  }

  protected override doInstall(options: Parameters<NsisUpdater['doInstall']>[0]): boolean {
    verifyAgain(this.installerPath ?? '', this.#file)
    return super.doInstall(options)
  }
}

/** A Debian or RPM package, or an unpacked archive. */
class LinuxPackage extends BaseUpdater {
  readonly #options: LinuxPackageOptions

  constructor(options: LinuxPackageOptions) {
    super(null, options.adapter)
    this.#options = options
  }

  protected override doDownloadUpdate(downloadUpdateOptions: DownloadOptions) {
    const { kind, file, client, download } = this.#options
    const url = new URL(client.addressOf(file.url))
    return this.executeDownload({
      fileExtension: kind === 'tar' ? 'tar.gz' : kind,
      fileInfo: { url, info: file },
      downloadUpdateOptions,
      task: target => download(url, target),
    })
  }

  protected override doInstall(): boolean {
    const { kind, file, resources } = this.#options
    const path = this.installerPath ?? ''
    if (kind === 'deb' || kind === 'rpm') {
      installAsRoot(kind, path, Buffer.from(file.sha512, 'base64').toString('hex'))
    } else {
      verifyAgain(path, file)
      replaceFolder(dirname(resources), path)
    }
    return true
  }
}
