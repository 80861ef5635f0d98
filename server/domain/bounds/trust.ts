import { type Bound, MIB } from './bound.ts'

export const TRUST_BOUNDS = {
  trustedScript: {
    limit: 64 * 1024,
    unit: 'bytes',
    of: 'script of a repository that a person can trust, or file that it names, to be shown',
    beyond: 'A script runs without secrets; a file that it names is shown by its size and digest alone.',
  },
  trustedFile: {
    limit: 4 * MIB,
    unit: 'bytes',
    of: 'file that a script of a repository names',
    beyond: 'The script cannot be trusted, and runs without secrets.',
  },
  trustedFiles: {
    limit: 30,
    unit: 'items',
    of: 'files of a repository that one of its scripts names, through other files too',
    beyond: 'The script cannot be trusted, and runs without secrets.',
  },
  trustedWords: {
    limit: 5000,
    unit: 'items',
    of: 'words in a script of a repository that could be names of files',
    beyond: 'The script cannot be trusted, and runs without secrets.',
  },
} as const satisfies Record<string, Bound>
