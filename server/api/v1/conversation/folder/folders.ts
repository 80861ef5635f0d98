import { z } from 'zod'
import { route } from '../../../contract/route.ts'
import { lineText } from '../../../input-text.ts'

const tag = 'Folders'

/**
 * How an agent works on a folder of this computer. `copy`: its files are copied into the sandbox, on a branch of their own, and
 * the folder stays as it is. `worktree`: on a branch and worktree beside the folder. `in_place`: in the folder itself.
 */
export const folderMode = z.enum(['copy', 'worktree', 'in_place'])
export type FolderMode = z.output<typeof folderMode>

const hostPath = lineText(4096).min(1)

export const folderSource = z.object({
  kind: z.literal('folder').describe('A folder of this computer.'),
  path: hostPath.describe('Absolute path of the folder.'),
  mode: folderMode
    .default('copy')
    .describe(
      'How the agent works on it. `copy`: on a copy in the sandbox. `worktree`: in a new worktree beside the folder, on a branch of its own. `in_place`: in the folder itself.',
    ),
  include_changes: z
    .boolean()
    .default(true)
    .describe(
      'Whether what is not committed comes too, new files included. A folder without git is copied whole; in place it is as it is.',
    ),
  confirm_in_place: z
    .boolean()
    .default(false)
    .describe('For `in_place`: a person lets agents change the folder itself. It is remembered for this folder.'),
})
export type FolderSource = z.output<typeof folderSource>

const names = (what: string) =>
  z.object({
    count: z.int().describe(`How many ${what}.`),
    names: z.array(z.string()).describe('The first 50 of them, from the folder on; a folder ends with a slash.'),
  })

export const folderInspection = z.object({
  path: z.string().describe('Path of the folder, without links.'),
  git: z
    .object({
      branch: z.string().nullable().describe('Branch that is checked out; null for none.'),
      head: z.string().nullable().describe('Its last commit; null before the first.'),
      uncommitted_files: z
        .int()
        .nullable()
        .describe('Files that differ from the last commit, new ones included; null where nothing was counted.'),
    })
    .nullable()
    .describe('The repository whose root the folder is; null for a folder without git.'),
  files: z
    .int()
    .nullable()
    .describe('Files that would be copied, without the history; null where the folder cannot be copied.'),
  size_bytes: z.int().nullable().describe('Their size in bytes; null like `files`.'),
  ignored: names('files and folders are left out since they are ignored').describe(
    'What is left out since `.gitignore` or the defaults ignore it.',
  ),
  left_out: names('files and folders cannot be copied').describe(
    'What cannot be copied: folders with a repository of their own, and names that are no UTF-8.',
  ),
  modes: z.array(folderMode).describe('Modes in which a conversation can be started with this folder.'),
  unavailable: z
    .array(
      z.object({
        mode: folderMode.describe('The mode.'),
        reason: z.string().describe('Why, in a sentence for a person.'),
      }),
    )
    .describe('Modes in which none can be started with it.'),
  in_place_confirmed: z.boolean().describe('Whether a person has let agents work in the folder itself before.'),
})
export type FolderInspection = z.output<typeof folderInspection>

export const inspectFolder = route({
  method: 'post',
  path: '/api/v1/folders/inspect',
  summary: 'Look at a folder of this computer before a start',
  description:
    "Says what would be copied of a folder of this computer: whether it is a git repository, what is not committed, how many files and bytes, and what is left out. Nothing of the folder is executed: no hook, filter or configuration. A folder that no conversation can be started with is refused with the reason. It needs the API's own key; a sandbox's key does not open it.",
  tag,
  body: z.object({ path: hostPath.describe('Absolute path of the folder.') }),
  failures: ['bad_request', 'file_not_found'],
  reply: folderInspection,
})
