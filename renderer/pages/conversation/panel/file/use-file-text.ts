import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { FileText } from '../../../../../server/api/v1/sandbox/files.ts'
import { ApiError } from '../../../../../server/client/api-error.ts'
import { fileActs, fileTextQuery } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { useOpenConversation, useSnapshot } from '../../context.ts'

export type OpenText = ReturnType<typeof useFileText>

interface Listeners {
  onDirty: (isDirty: boolean) => void
  /** The editor is to show another text. */
  onOther: (text: string) => void
}

/**
 * A text file, what a person made of it, and what the sandbox has now. Without changes of a person the file shows as it is;
 * with them a change in the sandbox is a conflict, which a person decides.
 */
export function useFileText(path: string, { onDirty, onOther }: Listeners) {
  const { id, status } = useOpenConversation()
  const last = useSnapshot(({ conversation }) => conversation.events.at(-1)?.seq ?? -1)
  const client = useClient()
  const queries = useQueryClient()
  const query = useQuery(fileTextQuery(client, id, path))
  const [base, setBase] = useState<FileText | null>(null)
  const [text, setText] = useState('')
  const [isSaved, setSaved] = useState(false)
  const now = query.data
  const isGone = base !== null && query.error instanceof ApiError && query.error.code === 'file_not_found'
  const isDirty = base !== null && text !== base.text
  const isOther = base !== null && now !== undefined && now.version !== base.version
  const save = useMutation({
    mutationFn: async (given: { text: string; version: string | null }) => ({
      ...(await fileActs(client, id).save(path, given.text, given.version)),
      text: given.text,
    }),
    onSuccess: saved => {
      setBase(saved)
      setSaved(true)
      onDirty(text !== saved.text)
      queries.setQueryData(fileTextQuery(client, id, path).queryKey, saved)
    },
    onError: () => void query.refetch(),
  })

  const take = useEffectEvent((file: FileText) => {
    setBase(file)
    setText(file.text)
    onDirty(false)
    onOther(file.text)
  })
  const isUntouched = base === null || !isDirty
  useEffect(() => {
    if (now && isUntouched && now.version !== base?.version) take(now)
  }, [now, isUntouched, base])

  // The sandbox is another system: what has happened in it is known by the events of the conversation.
  const refetch = useEffectEvent(() => void query.refetch())
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say that the file may be another
  useEffect(() => {
    const timer = setTimeout(refetch, REFRESH_MS)
    return () => clearTimeout(timer)
  }, [last, status])

  const isConflict = save.error instanceof ApiError && save.error.code === 'conflict'
  return {
    query,
    base,
    text,
    isDirty,
    isSaved: isSaved && !isDirty,
    isSaving: save.isPending,
    problem: save.error && !isConflict ? save.error : null,
    conflict: isDirty && (isOther || isGone) ? { theirs: isGone ? null : (now ?? null) } : null,
    change: (next: string) => {
      setText(next)
      if (base) onDirty(next !== base.text)
    },
    save: () => {
      if (base && isDirty && !save.isPending) save.mutate({ text, version: base.version })
    },
    overwrite: () => save.mutate({ text, version: isGone ? null : (now?.version ?? null) }),
    takeTheirs: () => {
      if (!now || isGone) return
      setBase(now)
      setText(now.text)
      onDirty(false)
      onOther(now.text)
    },
  }
}

const REFRESH_MS = 600
