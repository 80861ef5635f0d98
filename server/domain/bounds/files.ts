import { type Bound, KIB, MIB } from './bound.ts'

/** On files of a sandbox that a person looks at and changes. */
export const FILE_BOUNDS = {
  folderListing: {
    limit: 32 * MIB,
    unit: 'bytes',
    of: 'names of one folder of a sandbox, with their sizes and times',
    beyond: 'The rest is left out, and the list says so.',
  },
  keptListing: {
    limit: 30_000,
    unit: 'milliseconds',
    of: 'time for which the list of a long folder is kept for its next pages',
    beyond: 'The folder is listed anew.',
  },
  keptListings: {
    limit: 500_000,
    unit: 'items',
    of: 'entries of such lists, in all',
    beyond: 'The oldest list is forgotten.',
  },
  editedText: {
    limit: 2 * MIB,
    unit: 'bytes',
    of: 'text file that a person edits',
    beyond: 'Its beginning is shown and cannot be saved.',
  },
  shownText: {
    limit: 256 * KIB,
    unit: 'bytes',
    of: 'beginning of a larger text file',
    beyond: 'The rest is left out.',
  },
  waitingAttachments: {
    limit: 2048 * MIB,
    unit: 'bytes',
    of: 'files that wait for a conversation to begin with them',
    beyond: 'No further file is taken.',
  },
  waitingAttachmentFiles: {
    limit: 1000,
    unit: 'items',
    of: 'files that wait for a conversation to begin with them',
    beyond: 'No further file is taken.',
  },
  attachmentAge: {
    limit: 24 * 3_600_000,
    unit: 'milliseconds',
    of: 'time for which such a file is kept',
    beyond: 'The next file that is sent removes it.',
  },
  trashItems: {
    limit: 200,
    unit: 'items',
    of: 'deletions that can be undone, of one conversation',
    beyond: 'The oldest are removed for good.',
  },
  trashBytes: {
    limit: 2048 * MIB,
    unit: 'bytes',
    of: 'files that were deleted and can be restored, of one conversation',
    beyond: 'The oldest are removed for good; the last deletion stays.',
  },
  trashAge: {
    limit: 7 * 24 * 3_600_000,
    unit: 'milliseconds',
    of: 'time for which a deletion can be undone',
    beyond: 'A later deletion removes it for good.',
  },
} as const satisfies Record<string, Bound>
