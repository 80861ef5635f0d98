import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'

/** Settings that no repository decides here; none of them starts a program. */
const SETTINGS = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  `core.attributesFile=${devNull}`,
  'core.protectNTFS=true',
  'core.protectHFS=true',
  'protocol.allow=never',
  'diff.ignoreSubmodules=all',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap(setting => ['-c', setting])

interface RunOptions {
  input?: string | Buffer
  env?: Record<string, string>
  signal: AbortSignal
  timeoutMs?: number
}

interface OpenOptions {
  homes: string
  objects: string | null
  settings: readonly string[]
  signal: AbortSignal
}

export interface GitAnswer {
  exitCode: number
  stdout: string
  stderr: string
}

/**
 * Git at work for a folder of this computer, with a repository of ours in the place of the folder's own: its hooks, filters,
 * file-system monitor, submodules and other configuration are never read, so that nothing of the folder is executed. Its
 * objects are read where they lie.
 */
export class FolderGit {
  /** Ours alone, and removed by `close`. */
  readonly home: string
  readonly repository: string
  readonly #env: NodeJS.ProcessEnv
  #settings: readonly string[]

  private constructor(home: string, env: NodeJS.ProcessEnv, settings: readonly string[]) {
    this.home = home
    this.repository = join(home, 'repository')
    this.#env = env
    this.#settings = settings
  }

  /**
   * @param homes folder of our own in which its repository is made
   * @param objects folder of the objects that git may read beside our own; null for none
   * @param settings further ones, as `name=value`, that start no program
   * @throws AppError bad_request without git
   */
  static async open(folder: string, { homes, objects, settings, signal }: OpenOptions): Promise<FolderGit> {
    await mkdir(homes, { recursive: true, mode: 0o700 })
    const home = await mkdtemp(join(homes, 'git-'))
    const git = new FolderGit(home, environment(home), [...SETTINGS, ...settings.flatMap(setting => ['-c', setting])])
    try {
      const made = await git.#run(['init', '-q', '--bare', '--template=', git.repository], { signal })
      if (made.exitCode !== 0) throw new AppError('bad_request', `Git could not begin: ${made.stderr.trim()}`)
      Object.assign(git.#env, {
        GIT_DIR: git.repository,
        GIT_WORK_TREE: folder,
        GIT_INDEX_FILE: join(home, 'index'),
        ...(objects !== null && { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) }),
      })
      return git
    } catch (error) {
      await git.close()
      throw error
    }
  }

  /** A file with further patterns of what is ignored. */
  ignoreBeside(file: string): void {
    this.#settings = [...this.#settings, '-c', `core.excludesFile=${file}`]
  }

  run(args: readonly string[], options: RunOptions): Promise<GitAnswer> {
    return this.#run(args, options)
  }

  /** @throws AppError bad_request with what git says */
  async need(args: readonly string[], options: RunOptions): Promise<string> {
    const { exitCode, stdout, stderr } = await this.#run(args, options)
    if (exitCode === 0) return stdout
    throw new AppError('bad_request', `Git could not read the folder: ${reasonOf(stderr)}`)
  }

  /** The output as it comes; `ended` rejects when git fails. Aborting ends git. */
  stream(args: readonly string[], { input, signal }: { input: string; signal: AbortSignal }) {
    const child = spawn('git', [...this.#settings, ...args], { cwd: this.home, env: this.#env, signal })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    // Node.js discards what nobody reads yet when the process ends.
    return { content: child.stdout.pipe(new PassThrough()), ended: endOf(child) }
  }

  /** Gives it all of `input`. Aborting ends git. @throws AppError with what git says, and what `input` throws */
  async feed(args: readonly string[], input: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
    const child = spawn('git', [...this.#settings, ...args], { cwd: this.home, env: this.#env, signal })
    child.stdout.resume()
    const ended = endOf(child)
    ended.catch(() => {})
    let failed: unknown
    await pipeline(input, child.stdin).catch(error => {
      failed = error
      child.kill('SIGKILL')
    })
    // Git that ends early closes its input: what it says is the reason, and not that.
    const isBroken = failed instanceof Error && 'code' in failed && failed.code === 'EPIPE'
    if (failed === undefined || isBroken) return ended
    await ended.catch(() => {})
    throw failed
  }

  async close(): Promise<void> {
    await rm(this.home, { recursive: true, force: true, maxRetries: 3 })
  }

  #run(args: readonly string[], { input, env, signal, timeoutMs }: RunOptions): Promise<GitAnswer> {
    const options = {
      // Never begun in the folder, where a program named git could lie.
      cwd: this.home,
      env: { ...this.#env, ...env },
      maxBuffer: BOUNDS.folderList.limit,
      timeout: timeoutMs ?? BOUNDS.folderLook.limit,
      killSignal: 'SIGKILL' as const,
      encoding: 'utf8' as const,
      signal,
    }
    return new Promise((done, reject) => {
      const child = execFile('git', [...this.#settings, ...args], options, (error, stdout, stderr) => {
        if (signal.aborted) return reject(signal.reason)
        if (error && (error.killed || typeof error.code === 'string')) return reject(failureOf(error))
        done({ exitCode: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr })
      })
      child.stdin?.on('error', () => {})
      child.stdin?.end(input ?? '')
    })
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(GIT|SSH)_/i.test(name))),
    HOME: home,
    XDG_CONFIG_HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_AUTHOR_NAME: 'Atelier',
    GIT_AUTHOR_EMAIL: 'atelier@localhost',
    GIT_COMMITTER_NAME: 'Atelier',
    GIT_COMMITTER_EMAIL: 'atelier@localhost',
    LC_ALL: 'C',
  }
}

/** Whatever is in it: https://git-scm.com/docs/git#Documentation/git.txt-GITALTERNATEOBJECTDIRECTORIES */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

function failureOf(error: Error & { code?: unknown; killed?: boolean }): AppError {
  if (error.code === 'ENOENT') {
    return new AppError('bad_request', 'Copying a folder needs git on this computer. Install git, then try again.')
  }
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
    return new AppError('bad_request', 'The folder has too many files. Choose a folder inside it.')
  }
  if (error.killed) {
    return new AppError('bad_request', 'Git took too long to read the folder. Choose a smaller folder inside it.')
  }
  return new AppError('bad_request', `Git failed: ${error.message}`)
}

function endOf(child: ChildProcess): Promise<void> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => {
    if (said.length < 4096) said += text.toString()
  })
  return new Promise((done, reject) => {
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0) return done()
      reject(new AppError('bad_request', `Git could not read the folder: ${reasonOf(said)}`))
    })
  })
}

/** The last line that says what is wrong. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').filter(line => /^(fatal|error):/.test(line))
  return (lines.at(-1) ?? stderr).trim().slice(0, 500) || 'it ended without a reason'
}
