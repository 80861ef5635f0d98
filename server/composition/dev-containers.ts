import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import { DevContainers } from '../dev-container/containers.ts'
import type { Folders } from '../folder/folders.ts'
import { credentialsFor } from '../git/credentials.ts'
import type { TokenSource } from '../git-providers/token-source.ts'
import type { openSandboxes } from '../sandbox/open.ts'
import type { SettingsService } from '../settings/service.ts'

/** Dev containers of what conversations begin with. */
export function openDevContainers(
  options: { dataDir: string },
  dependencies: Pick<Awaited<ReturnType<typeof openSandboxes>>, 'engines'> & {
    instanceId: string
    folders: Folders
    settings: Pick<SettingsService, 'read'>
    tokens: TokenSource
    /** With which an address is asked that came with a conversation. */
    fetch: typeof globalThis.fetch
  },
): DevContainers {
  const { engines, settings, tokens } = dependencies
  // No spec says on which engine they are to be.
  const engine = engines.get(DEFAULT_ENGINE)
  const own = {
    hold: (name: string) => engine.sandboxes.hold(name),
    allowedHosts: () => settings.read().allowed_hosts,
    credentialsFor: (url: string) => credentialsFor(url, tokens),
  }
  const devContainers = new DevContainers({ ...options, ...dependencies, ...engine, ...own })
  devContainers.start()
  return devContainers
}
