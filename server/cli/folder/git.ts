import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CommandError, EXIT } from '../exit-codes.ts'

interface GitResult {
  exitCode: number
  stdout: string
  stderr: string
}

export interface Git {
  run(args: readonly string[], env?: Record<string, string>): Promise<GitResult>
}

const MAX_OUTPUT_BYTES = 64 * 2 ** 20

/**
 * Git at work in a folder, with a repository of ours in the place of the folder's own: no hook, filter, file-system
 * monitor or other configuration of the folder takes effect, so that nothing of it is executed.
 */
export async function withGit<T>(folder: string, work: (git: Git) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'atelier-git-'))
  const repository = join(home, 'repository')
  const base: NodeJS.ProcessEnv = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name))),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
  try {
    await git(['init', '-q', '--bare', '--template=', repository], home, base)
    const env = { ...base, GIT_DIR: repository, GIT_WORK_TREE: resolve(folder) }
    // Never begun in the folder, where a program named git could lie.
    return await work({
      run: (args, more) => git(['-C', resolve(folder), ...args], home, { ...env, ...more }),
    })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** @throws CommandError failed when there is no git */
function git(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<GitResult> {
  return new Promise((done, reject) => {
    execFile('git', args, { cwd, env, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error && typeof error.code === 'string') {
        const message =
          error.code === 'ENOENT' ? 'This needs git. Install it, then try again.' : `Git failed: ${error.message}`
        return reject(new CommandError(EXIT.failed, message))
      }
      done({ exitCode: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr })
    })
  })
}
