import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/query-keys.ts'
import type { Attachment } from './attached-files.ts'

export interface ComposerAttachments {
  readonly images: readonly Attachment[]
  /** Files and folders of the sandbox, by their absolute paths. */
  readonly paths: readonly string[]
}

const NONE: ComposerAttachments = { images: [], paths: [] }

/** What goes with the message that is being written; it is also added to from the panel. */
export function useComposerAttachments(id: string) {
  const queries = useQueryClient()
  const queryKey = keys.composerAttachments(id)
  const current = () => queries.getQueryData<ComposerAttachments>(queryKey) ?? NONE
  const { data = NONE } = useQuery({
    queryKey,
    queryFn: current,
    initialData: NONE,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return {
    attached: data,
    current,
    set: (next: ComposerAttachments) => queries.setQueryData(queryKey, next),
    clear: () => queries.setQueryData(queryKey, NONE),
  }
}

/** A message with the paths of what is attached, as the agent reads them. */
export function withPaths(text: string, paths: readonly string[]): string {
  if (paths.length === 0) return text
  const lines = paths.map(path => `- ${JSON.stringify(path)}`)
  return [text, `Files:\n${lines.join('\n')}`].filter(part => part !== '').join('\n\n')
}
