import { useQuery, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/query-keys.ts'
import type { Attachment } from './attached-files.ts'

export interface ComposerAttachments {
  readonly images: readonly Attachment[]
  /** Files and folders of the sandbox, by their absolute paths. */
  readonly paths: readonly string[]
  /** What the agent reads beside the message. */
  readonly notes: readonly Note[]
}

export interface Note {
  /** Of this window alone. */
  readonly id: string
  readonly name: string
  readonly text: string
}

const NONE: ComposerAttachments = { images: [], paths: [], notes: [] }

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

/** A message with what is attached as text, as the agent reads it. */
export function withAttached(text: string, { paths, notes }: Pick<ComposerAttachments, 'paths' | 'notes'>): string {
  const lines = paths.map(path => `- ${JSON.stringify(path)}`)
  const files = lines.length > 0 ? [`Files:\n${lines.join('\n')}`] : []
  return [text, ...files, ...notes.map(note => note.text)].filter(part => part !== '').join('\n\n')
}
