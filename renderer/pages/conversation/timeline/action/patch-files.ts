export interface PatchFile {
  kind: 'add' | 'delete' | 'update'
  path: string
}

const KINDS = { Add: 'add', Delete: 'delete', Update: 'update' } as const
const HEAD = /^\*\*\* (Add|Delete|Update) File: (.+)$/gm

/** The files that a patch names, in its order; a patch that cannot be read names none. */
export function patchFiles(patch: string): PatchFile[] {
  return [...patch.matchAll(HEAD)].map(([, verb, path]) => ({
    kind: KINDS[verb as keyof typeof KINDS], // the expression lets nothing else through
    path: path?.trim() ?? '',
  }))
}
