import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { foundFilesQuery } from '../../../../api/sandbox/files.ts'
import { useClient } from '../../../../api/session.ts'
import { useSettled } from '../../../../state/settled.ts'
import { useOpenConversation } from '../../context.ts'

/** Each search is a command in the sandbox: not one for every key. */
const SETTLE_MS = 150

/** Files of the working directory by words of their path. `isPlaceholderData` while they are those of earlier words. */
export function useFoundFiles(text: string) {
  const { id } = useOpenConversation()
  const words = useSettled(text, SETTLE_MS)
  const found = useQuery({ ...foundFilesQuery(useClient(), id, words), placeholderData: keepPreviousData })
  // What is read of it renders its reader whenever it changes, so no more than what is used.
  const { data, error, isError, refetch, isPlaceholderData } = found
  return { data, error, isError, refetch, isPlaceholderData: isPlaceholderData || words !== text }
}
