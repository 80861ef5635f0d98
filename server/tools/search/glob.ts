import { posix } from 'node:path'
import { z } from 'zod'
import { type Action, globAction } from '../../api/event/actions.ts'
import type { Observation } from '../../api/event/observations.ts'
import { filterInSlices } from '../../async/in-slices.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { invalidParameter, messageForModel } from '../file-editor/problem.ts'
import { type Tool, type ToolContext, type ToolHost, text } from '../tool.ts'
import { globPattern } from './glob-pattern.ts'
import { listFiles } from './list-files.ts'
import { searchRootOf } from './root.ts'

type GlobAction = Extract<Action, { kind: 'GlobAction' }>
type GlobObservation = Extract<Observation, { kind: 'GlobObservation' }>

const MAX_FILES = 100

const DESCRIPTION = `Find files by their names.

* Patterns: \`*.test.ts\` (that name anywhere below), \`src/**/*.{ts,tsx}\` (from the path on), \`*\`, \`?\`, \`[a-z]\`, \`{a,b}\`, \`**\`.
* The answer lists files only, absolute, those changed last first, up to ${MAX_FILES}.
* Hidden names are left out unless the pattern names them (\`.github/**\`); so are node_modules and, where ripgrep is there, what .gitignore names.`

const parameters = z.object({
  pattern: z.string().min(1).describe('The pattern, such as `**/*.py`.'),
  path: z
    .string()
    .optional()
    .describe('Folder to search; the working directory when left out. May be relative to that.'),
})

export function createGlob(host: ToolHost): Tool<GlobAction> {
  return {
    name: 'glob',
    description: DESCRIPTION,
    parameters,
    readOnly: true,
    toAction: given => globAction.parse({ kind: 'GlobAction', ...parameters.parse(given) }),
    run: (action, context) => run(action, host, context),
    close: async () => {},
  }
}

async function run(action: GlobAction, host: ToolHost, { signal }: ToolContext): Promise<GlobObservation> {
  signal.throwIfAborted()
  const sandbox = await host.sandbox()
  const base = {
    kind: 'GlobObservation' as const,
    pattern: host.mask(action.pattern),
    search_path: action.path ?? sandbox.workingDir,
  }
  try {
    const { from, rest } = divide(action)
    const { path, file } = await searchRootOf(sandbox, from)
    if (file !== undefined) throw invalidParameter('path', path, 'It is a file. Name the folder to search.')
    const glob = globPattern(rest)
    const listing = await listFiles(sandbox, path, { hidden: glob.hidden, signal })
    const deadline = performance.now() + BOUNDS.searchTime.limit
    const { passed, partial } = await filterInSlices(listing.files, glob.matches, { signal, deadline })
    const truncated = passed.length > MAX_FILES || listing.partial || partial
    const files = passed.slice(0, MAX_FILES).map(each => host.mask(posix.join(path, each)))
    const told = words(files, { pattern: action.pattern, path, truncated })
    return { ...base, search_path: path, content: text(host.mask(told)), is_error: false, files, truncated }
  } catch (error) {
    const told = messageForModel(error)
    if (told === undefined) throw error
    return { ...base, content: text(host.mask(told)), is_error: true, files: [], truncated: false }
  }
}

/** An absolute pattern brings its own folder: `/etc/*.conf` is `*.conf` in `/etc`, and no file below its folders. */
function divide({ pattern, path }: GlobAction): { from: string | undefined; rest: string } {
  if (!pattern.startsWith('/')) return { from: path, rest: pattern }
  const names = pattern.split('/')
  const first = names.findIndex(name => /[*?[{]/.test(name))
  const at = first < 0 ? names.length - 1 : first
  return { from: names.slice(0, at).join('/') || '/', rest: `./${names.slice(at).join('/')}` }
}

function words(
  files: readonly string[],
  { pattern, path, truncated }: { pattern: string; path: string; truncated: boolean },
): string {
  if (files.length === 0) {
    const open = truncated ? ' The search ended before all files were looked at: name a narrower path.' : ''
    return `No files found matching pattern '${pattern}' in ${path}.${open}`
  }
  const cut = truncated
    ? `\n\n[Results truncated to the ${files.length} files changed last. Use a more specific pattern or path.]`
    : ''
  const count = `${files.length} file${files.length === 1 ? '' : 's'}`
  return `Found ${count} matching pattern '${pattern}' in ${path}:\n${files.join('\n')}${cut}`
}
