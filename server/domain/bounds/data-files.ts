import { type Bound, GIB, MIB } from './bound.ts'

/** On files with everything of an Atelier, which are written for another computer and read there. */
export const DATA_FILE_BOUNDS = {
  dataFile: {
    limit: 32 * GIB,
    unit: 'bytes',
    of: 'file with exported data that is imported',
    beyond: 'The file is refused with 413.',
  },
  dataFileContent: {
    limit: 128 * GIB,
    unit: 'bytes',
    of: 'what such a file unpacks to',
    beyond: 'The file is refused before anything of it is unpacked.',
  },
  dataFileFolder: {
    limit: 8 * GIB,
    unit: 'bytes',
    of: 'working folder of one conversation in such a file',
    beyond: 'It is left out of an export; a file that holds one is refused.',
  },
  dataFileConversations: {
    limit: 200_000,
    unit: 'items',
    of: 'conversations in such a file',
    beyond: 'The same.',
  },
  dataFileEvent: {
    limit: 32 * MIB,
    unit: 'bytes',
    of: 'one event in such a file',
    beyond: 'The file is refused; an event that is longer is not exported, and a notice takes its place.',
  },
  dataFilePart: {
    limit: 64 * MIB,
    unit: 'bytes',
    of: 'part of such a file that is no conversation, such as its settings',
    beyond: 'The file is refused.',
  },
  dataFileValues: {
    limit: 2_000_000,
    unit: 'items',
    of: 'values in the JSON of such a part',
    beyond: 'The same.',
  },
  dataFileMemory: {
    limit: 768 * MIB,
    unit: 'bytes',
    of: 'memory of the thread that writes or reads such a file',
    beyond: 'The export or import fails.',
  },
  dataFileAge: {
    limit: 3_600_000,
    unit: 'milliseconds',
    of: 'time for which a file that was written, or was sent and is not imported, is kept for its client',
    beyond: 'It is deleted.',
  },
  openHandsEvents: {
    limit: 500_000,
    unit: 'items',
    of: 'events of one conversation in a folder of OpenHands that is imported',
    beyond: 'The first so many are taken, and the check says so.',
  },
  openHandsDatabase: {
    limit: 512 * MIB,
    unit: 'bytes',
    of: 'database of such a folder',
    beyond: 'Titles and repositories are taken from elsewhere, and the check says so.',
  },
} as const satisfies Record<string, Bound>
