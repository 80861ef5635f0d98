import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Attachment } from './attached-files.ts'

const KEY = ['launch-attachments']
const NONE: readonly Attachment[] = []

/** The pictures of the launcher's draft. They outlive the page in memory: a storage of the window is too small. */
export function useLaunchAttachments() {
  const queryClient = useQueryClient()
  const { data = NONE } = useQuery<readonly Attachment[]>({
    queryKey: KEY,
    queryFn: () => queryClient.getQueryData<readonly Attachment[]>(KEY) ?? NONE,
    initialData: NONE,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return [data, (attachments: readonly Attachment[]) => queryClient.setQueryData(KEY, attachments)] as const
}
