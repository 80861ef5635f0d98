import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { lookForDevContainers } from '../../../server/api/v1/sandbox/dev-containers.ts'
import type { Client } from '../../../server/client/client.ts'
import { keys } from '../query-keys.ts'

export type DevContainerSource = z.input<typeof lookForDevContainers.body>

/** Dev containers of what a conversation would begin with. A repository is fetched for it. */
export const devContainersQuery = (client: Client, source: DevContainerSource) =>
  queryOptions({
    queryKey: keys.devContainers(JSON.stringify(source)),
    queryFn: async ({ signal }) => (await client.call(lookForDevContainers, { body: source, signal })).items,
    retry: false,
    staleTime: 60_000,
  })
