import { posix } from 'node:path'
import { z } from 'zod'
import { type Action, grepAction } from '../../api/event/actions.ts'
import type { Observation } from '../../api/event/observations.ts'
import { filterInSlices } from '../../async/in-slices.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { invalidParameter, messageForModel } from '../file-editor/problem.ts'
import { type Tool, type ToolContext, type ToolHost, text } from '../tool.ts'
import { globPattern } from './glob-pattern.ts'
import { grepFiles, LINES_PER_FILE, type Match } from './grep-files.ts'
import { listFiles } from './list-files.ts'
import { searchRootOf } from './root.ts'

type GrepAction = Extract<Action, { kind: 'GrepAction' }>
type GrepObservation = Extract<Observation, { kind: 'GrepObservation' }>

const MAX_FILES = 100

const DESCRIPTION = `Search the content of files for a regular expression, in both cases of letters.

* The answer names the files that match, those changed last first, up to ${MAX_FILES}, each with its first ${LINES_PER_FILE} matching lines.
* Hidden names, node_modules, binary files and, where ripgrep is there, what .gitignore names are left out.
* For every match of one file, or for a search that needs capital letters, use rg or grep in the terminal.`

const parameters = z.object({
  pattern: z.string().min(1).describe('Regular expression, such as `log.*Error` or `function\\s+\\w+`.'),
  path: z
    .string()
    .optional()
    .describe('Folder or file to search; the working directory when left out. May be relative to that.'),
  include: z.string().optional().describe('Only files whose name matches, such as `*.ts` or `src/**/*.{ts,tsx}`.'),
})

export function createGrep(host: ToolHost): Tool<GrepAction> {
  return {
    name: 'grep',
    description: DESCRIPTION,
    parameters,
    readOnly: true,
    toAction: given => grepAction.parse({ kind: 'GrepAction', ...parameters.parse(given) }),
    run: (action, context) => run(action, host, context),
    close: async () => {},
  }
}

async function run(action: GrepAction, host: ToolHost, { signal }: ToolContext): Promise<GrepObservation> {
  signal.throwIfAborted()
  const sandbox = await host.sandbox()
  const { pattern, include } = action
  const base = {
    kind: 'GrepObservation' as const,
    pattern: host.mask(pattern),
    search_path: action.path ?? sandbox.workingDir,
    ...(include !== undefined && { include_pattern: include }),
  }
  try {
    if (pattern.length > BOUNDS.searchPattern.limit) {
      const rule = `A pattern has at most ${BOUNDS.searchPattern.limit.toLocaleString('en-US')} characters.`
      throw invalidParameter('pattern', pattern, rule)
    }
    const { path, folder, file } = await searchRootOf(sandbox, action.path)
    const glob = include === undefined ? undefined : globPattern(include)
    const listing =
      file === undefined
        ? await listFiles(sandbox, folder, { hidden: glob?.hidden ?? false, signal })
        : { files: [file], partial: false }
    const deadline = performance.now() + BOUNDS.searchTime.limit
    const named = glob
      ? await filterInSlices(listing.files, glob.matches, { signal, deadline })
      : { passed: listing.files, partial: false }
    const found = await grepFiles(sandbox, { folder, files: named.passed, pattern, most: MAX_FILES, signal })
    const shown = found.matches.slice(0, MAX_FILES)
    const truncated = found.matches.length > MAX_FILES || found.partial || listing.partial || named.partial
    const told = words(shown, { ...action, path, folder, truncated })
    const matches = shown.map(match => host.mask(posix.join(folder, match.file)))
    return { ...base, search_path: path, content: text(host.mask(told)), is_error: false, matches, truncated }
  } catch (error) {
    const told = messageForModel(error)
    if (told === undefined) throw error
    return { ...base, content: text(host.mask(told)), is_error: true, matches: [], truncated: false }
  }
}

function words(
  matches: readonly Match[],
  { pattern, include, path, folder, truncated }: GrepAction & { path: string; folder: string; truncated: boolean },
): string {
  const where = `in ${path}${include === undefined ? '' : ` (files: ${include})`}`
  if (matches.length === 0) {
    const open = truncated ? ' The search ended before all files were looked at: name a narrower path.' : ''
    return `No files found containing pattern '${pattern}' ${where}.${open}`
  }
  const blocks = matches.map(({ file, lines }) =>
    [posix.join(folder, file), ...lines.map(line => `  ${line.number}: ${line.text}`)].join('\n'),
  )
  const count = `${matches.length} file${matches.length === 1 ? '' : 's'}`
  const cut = truncated
    ? `\n\n[Results truncated: there are more. These are the ${matches.length} files found first, by time of change. Use a more specific pattern, path or include.]`
    : ''
  return `Found ${count} containing pattern '${pattern}' ${where}:\n${blocks.join('\n')}${cut}`
}
