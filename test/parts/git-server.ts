import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface GitServer {
  port: number
  /** The address of a repository as a person on this machine would write it. */
  url: (name: string) => string
  /** Makes a repository with one commit for each set of files, on `branch`. */
  add: (name: string, files: Record<string, string>, branch?: string) => Promise<void>
  /** Makes a repository of all branches in a bundle. */
  addBundle: (name: string, file: string) => Promise<void>
  /** Runs git in the bare repository and returns what it printed. */
  git: (name: string, ...args: string[]) => Promise<string>
  close: () => Promise<void>
}

export interface GitServerOptions {
  /** With it, every request needs these by basic authentication. */
  credentials?: { user: string; password: string }
}

/** Bare repositories behind git's own HTTP server, on every address so that sandboxes reach it. */
export async function startGitServer({ credentials }: GitServerOptions = {}): Promise<GitServer> {
  const root = mkdtempSync(join(tmpdir(), 'atelier-git-'))
  const wanted = credentials && `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`
  const server = createServer((request, reply) => {
    if (wanted === undefined || request.headers.authorization === wanted) return serve(root, request, reply)
    reply.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  const bare = (name: string) => join(root, `${name}.git`)
  return {
    port,
    url: name => `http://localhost:${port}/${name}.git`,
    add: (name, files, branch = 'main') => addCommit(bare(name), files, branch),
    addBundle: async (name, file) => {
      await run('git', ['clone', '--quiet', '--bare', file, bare(name)])
    },
    git: async (name, ...args) => (await run('git', ['-C', bare(name), ...args])).stdout,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** CGI, as git-http-backend(1) describes it. */
function serve(root: string, request: IncomingMessage, reply: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    REMOTE_USER: 'test',
  }
  const backend = spawn('git', ['-c', 'http.receivepack=true', 'http-backend'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  backend.stdin.on('error', () => {}) // it may answer before it has read everything
  request.pipe(backend.stdin)
  const chunks: Buffer[] = []
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  backend.on('close', () => answer(Buffer.concat(chunks), reply))
}

function answer(output: Buffer, reply: ServerResponse): void {
  const end = output.indexOf('\r\n\r\n')
  if (end < 0) return void reply.writeHead(500).end()
  const head = output.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(head.map(line => line.split(/: (.*)/s).slice(0, 2)))
  const status = Number(String(headers.Status ?? '200').slice(0, 3))
  delete headers.Status
  reply.writeHead(status, headers).end(output.subarray(end + 4))
}

async function addCommit(bare: string, files: Record<string, string>, branch: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'atelier-git-work-'))
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid']
  const git = (...args: string[]) => run('git', [...identity, '-C', work, ...args])
  try {
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare])
    await git('init', '--quiet', `--initial-branch=${branch}`)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(work, path)), { recursive: true })
      writeFileSync(join(work, path), content)
    }
    await git('add', '--all')
    await git('commit', '--quiet', '--message', 'The repository as it was found')
    await git('push', '--quiet', bare, branch)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
