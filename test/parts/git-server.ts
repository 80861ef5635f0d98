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
  /** Answers fetches with an empty pack after the lines that `lie` makes of what was asked; null serves them again. */
  lie: (lie: ((asked: string) => string) | null) => void
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
  let lie: ((asked: string) => string) | null = null
  const server = createServer((request, reply) => {
    if (lie && request.url?.endsWith('/git-upload-pack')) return void answerWithLie(request, reply, lie)
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
    lie: next => {
      lie = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

const EMPTY_PACK = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex')

async function answerWithLie(request: IncomingMessage, reply: ServerResponse, lie: (asked: string) => string) {
  let asked = ''
  for await (const chunk of request) asked += String(chunk)
  const line = (content: Buffer | string) => {
    const bytes = Buffer.from(content)
    return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes])
  }
  const flush = Buffer.from('0000')
  const pack = line(Buffer.concat([Buffer.from([1]), EMPTY_PACK]))
  reply.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
  reply.end(Buffer.concat([line(lie(asked)), flush, line('NAK\n'), pack, flush]))
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
