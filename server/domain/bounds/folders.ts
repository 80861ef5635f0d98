import { type Bound, MIB } from './bound.ts'

/** On what is copied of a folder of this computer. */
export const FOLDER_BOUNDS = {
  folderList: {
    limit: 64 * MIB,
    unit: 'bytes',
    of: 'names of the files of a folder that is copied',
    beyond: 'The folder is refused, and the reason says so.',
  },
  accountFile: {
    limit: MIB,
    unit: 'bytes',
    of: '`/etc/passwd` and `/etc/group` of an image to which the owner of a mounted folder is added',
    beyond: 'The owner is not added to it; programs see a user without a name.',
  },
  folderFiles: {
    limit: 200_000,
    unit: 'items',
    of: 'files of a folder that is copied',
    beyond: 'The folder is refused, and the reason says so.',
  },
  folderFile: {
    limit: 512 * MIB,
    unit: 'bytes',
    of: 'one file of a folder that git does not have yet',
    beyond: 'The folder is refused, and the reason names the file.',
  },
  folderBytes: {
    limit: 2048 * MIB,
    unit: 'bytes',
    of: 'files of a folder that git does not have yet, in all',
    beyond: 'The folder is refused, and the reason says so.',
  },
  folderRefs: {
    limit: 5_000,
    unit: 'items',
    of: 'branches and tags that are copied with a folder',
    beyond: 'The rest is left out.',
  },
  folderLook: {
    limit: 30_000,
    unit: 'milliseconds',
    of: 'one question that git answers about a folder',
    beyond: 'The folder is refused, and the reason says so.',
  },
  folderChanges: {
    limit: 10_000,
    unit: 'items',
    of: 'files of a conversation that are applied to a folder at once',
    beyond: 'The apply is refused, and the reason says so.',
  },
  folderChangeList: {
    limit: 16 * MIB,
    unit: 'bytes',
    of: 'list of the files of a conversation that differ from its folder',
    beyond: 'The apply is refused, and the reason says so.',
  },
  folderChangedFile: {
    limit: 64 * MIB,
    unit: 'bytes',
    of: 'one file that is applied to a folder',
    beyond: 'The file is refused, and the reason says so.',
  },
  folderChangedBytes: {
    limit: 512 * MIB,
    unit: 'bytes',
    of: 'files that are applied to a folder at once, in all',
    beyond: 'The apply is refused, and the reason says so.',
  },
  folderUndo: {
    limit: 10,
    unit: 'items',
    of: 'applies to a folder that can be undone, for one conversation',
    beyond: 'What the earliest replaced is forgotten.',
  },
  folderCopy: {
    limit: 900_000,
    unit: 'milliseconds',
    of: 'time in which git reads what is copied of a folder',
    beyond: 'The start fails, and its detail says so.',
  },
} as const satisfies Record<string, Bound>
