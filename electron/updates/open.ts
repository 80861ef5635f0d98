import { join } from 'node:path'
import { app } from 'electron'
import { packageKindOf, readFeed } from './config.ts'
import { Updates } from './updates.ts'

/** The updates of the app that runs. */
export function openUpdates({ resources, dataDir, backUp, isServing, proxyOfSystem }: OpenUpdates): Updates {
  return new Updates({
    feed: app.isPackaged ? readFeed(resources) : undefined,
    kind: packageKindOf(resources),
    version: app.getVersion(),
    resources,
    folder: join(dataDir, 'updates'),
    open: async feed => {
      const [{ FeedClient }, { createInstaller }, { findProxyOf }] = await Promise.all([
        import('./feed-client.ts'),
        import('./installer.ts'),
        import('../../server/outbound/proxies.ts'),
      ])
      return { client: new FeedClient(feed, findProxyOf(proxyOfSystem)), createInstaller }
    },
    now: () => new Date(),
    backUp,
    isServing,
    quit: () => app.quit(),
  })
}

interface OpenUpdates {
  resources: string
  dataDir: string
  backUp: () => Promise<string>
  isServing: () => boolean
  proxyOfSystem: (origin: string) => Promise<string>
}
