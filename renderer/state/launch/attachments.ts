import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Attachment, appendImages } from './attached-files.ts'

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
  const set = (attachments: readonly Attachment[]) => queryClient.setQueryData(KEY, attachments)
  return {
    attachments: data,
    set,
    /** To what there is now. @returns the pictures that are too many */
    append: (more: readonly Attachment[]) => {
      const { images, refused } = appendImages(queryClient.getQueryData<readonly Attachment[]>(KEY) ?? NONE, more)
      set(images)
      return refused
    },
  }
}
