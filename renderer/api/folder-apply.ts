import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RouteBodyInput } from '../../server/api/contract/route.ts'
import {
  applyToFolder,
  type FolderUndone,
  previewFolderApply,
  undoFolderApply,
} from '../../server/api/v1/conversation/folder/apply.ts'
import {
  createFolderBranch,
  type FolderBranchUndone,
  undoFolderBranch,
} from '../../server/api/v1/conversation/folder/branch.ts'
import { notifyError } from '../ui/overlay/toast.ts'
import { keys } from './query-keys.ts'
import { useClient } from './session.ts'

/** What applying would do now. Files change outside of the window, so nothing of it is kept. */
export function useFolderPreview(conversation_id: string) {
  const client = useClient()
  return useQuery({
    queryKey: keys.folderApply(conversation_id),
    queryFn: ({ signal }) => client.call(previewFolderApply, { params: { conversation_id }, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
    // What is being chosen does not change under one's hands.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

export function useApplyToFolder(conversation_id: string) {
  const client = useClient()
  const refresh = useRefresh(conversation_id)
  return useMutation({
    mutationFn: (body: RouteBodyInput<typeof applyToFolder>) =>
      client.call(applyToFolder, { params: { conversation_id }, body }),
    onSettled: refresh,
  })
}

/** The apply with an id, or the last one. `onDone` is called also when what asked for it has gone from the screen. */
export function useUndoFolderApply(conversation_id: string, onDone: (undone: FolderUndone) => void) {
  const client = useClient()
  const refresh = useRefresh(conversation_id)
  return useMutation({
    mutationFn: (id: string | undefined) =>
      client.call(undoFolderApply, { params: { conversation_id }, query: { id } }),
    onSuccess: onDone,
    onError: notifyError,
    onSettled: refresh,
  })
}

export function useFolderBranch(conversation_id: string) {
  const client = useClient()
  const refresh = useRefresh(conversation_id)
  return useMutation({
    mutationFn: (body: RouteBodyInput<typeof createFolderBranch>) =>
      client.call(createFolderBranch, { params: { conversation_id }, body }),
    onSettled: refresh,
  })
}

/** As `useUndoFolderApply`. */
export function useUndoFolderBranch(conversation_id: string, onDone: (undone: FolderBranchUndone) => void) {
  const client = useClient()
  const refresh = useRefresh(conversation_id)
  return useMutation({
    mutationFn: (branch: string) => client.call(undoFolderBranch, { params: { conversation_id }, body: { branch } }),
    onSuccess: onDone,
    onError: notifyError,
    onSettled: refresh,
  })
}

function useRefresh(conversation_id: string) {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: keys.folderApply(conversation_id) })
}
