import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { startGitProvider } from '../../fakes/git-provider.ts'
import { type FakeMcpServer, startMcpServer } from '../../fakes/mcp-http-server.ts'
import { startGitServer } from '../git-server.ts'
import { projectFolder } from '../project-folder.ts'
import { TestFolder } from '../test-folder.ts'

export interface Places {
  tools: FakeMcpServer
  /** A git provider, a server that never answers, one that nobody trusts, a repository that is locked, a folder of this computer. */
  addresses: Record<'provider' | 'silent' | 'untrusted' | 'locked' | 'folder', string>
  close(): Promise<void>
}

/** What requests speak of that is elsewhere. */
export async function startPlaces(): Promise<Places> {
  const tools = await startMcpServer()
  const git = await startGitServer({ credentials: { user: 'x-access-token', password: 'good' } })
  await git.add('octocat/hello', { 'main.txt': 'one\n' })
  const provider = await startGitProvider(git)
  provider.accepted.add('Bearer good')
  const locked = await startGitServer({ credentials: { user: 'somebody', password: 'else' } })
  await locked.add('private', { 'a.txt': 'a\n' })
  const folder = new TestFolder().write({ 'a.txt': 'one\n' }).commit().write({ 'b.txt': 'two\n' })
  const silent = await listening(createServer(() => {}).unref(), '0.0.0.0')
  const untrusted = await listening(createUntrustedServer(), '127.0.0.1')
  return {
    tools,
    addresses: {
      provider: provider.address,
      silent: `http://host.docker.internal:${portOf(silent)}`,
      untrusted: `https://localhost:${portOf(untrusted)}/v1`,
      locked: locked.url('private'),
      folder: folder.path,
    },
    close: async () => {
      await Promise.all([tools.close(), provider.close(), git.close(), locked.close()])
      folder.remove()
      // Whoever still waits for an answer must not be waited for.
      silent.close()
      untrusted.close()
    },
  }
}

/** Speaks TLS with a certificate that nobody vouches for. */
function createUntrustedServer(): Server {
  const read = (name: string) => readFileSync(join(projectFolder, 'test/fakes/data', name))
  return createTlsServer({ key: read('untrusted-key.pem'), cert: read('untrusted-certificate.pem') })
}

async function listening(server: Server, address: string): Promise<Server> {
  await new Promise<void>(resolve => server.listen(0, address, resolve))
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
