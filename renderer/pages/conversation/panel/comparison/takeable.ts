import type { ComparedFile } from '../../../../../server/api/v1/conversation/comparisons.ts'

/** Whether taking it would change anything. */
export function isTakeable({ state }: ComparedFile): boolean {
  return state !== 'same'
}

/** Whether it was changed in both since they parted. */
export function isConflict({ state, here, there }: ComparedFile): boolean {
  return state !== 'same' && here !== null && there !== null
}

/**
 * What is taken unless a person chooses otherwise: what B has changed and A has not. Where nobody knows who changed a file,
 * it is all that differs.
 */
export function takenAtFirst(files: readonly ComparedFile[], hasCommonFiles: boolean): string[] {
  return files
    .filter(file => isTakeable(file) && (!hasCommonFiles || (isFromB(file) && !isConflict(file))))
    .map(({ path }) => path)
}

function isFromB({ there, state, here }: ComparedFile): boolean {
  return there !== null || (state === 'moved' && here === null)
}
