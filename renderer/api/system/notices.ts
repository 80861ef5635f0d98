import { queryOptions } from '@tanstack/react-query'
import { noticesIn } from '../../state/third-party-notices.ts'
import { keys } from '../query-keys.ts'

/** The licences of what the app carries: a megabyte, so it is forgotten when nobody looks at it. */
export const thirdPartyNoticesQuery = (url: string) =>
  queryOptions({
    queryKey: keys.thirdPartyNotices,
    queryFn: async ({ signal }) => {
      const response = await fetch(`${url}/docs/third-party-notices.txt`, { signal })
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
      return noticesIn(await response.text())
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
