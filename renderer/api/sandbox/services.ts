import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getSandboxLog } from '../../../server/api/v1/sandbox/logs.ts'
import {
  deleteSandboxServices,
  getSandboxServiceLog,
  listSandboxServices,
  restartSandboxServices,
  type SandboxServicesInfo,
  startSandboxServices,
  stopSandboxServices,
} from '../../../server/api/v1/sandbox/services.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import type { Client } from '../../../server/client/client.ts'
import { notifyError } from '../../ui/overlay/toast.ts'
import { keys } from '../query-keys.ts'
import { useClient } from '../session.ts'

const of = (id: string) => ({ params: { sandbox_id: id } })

/** null where there is no such sandbox. */
export const sandboxServicesQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.sandboxServices(id),
    queryFn: async ({ signal }): Promise<SandboxServicesInfo | null> => {
      try {
        return await client.call(listSandboxServices, { ...of(id), signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

const LOG_EVERY_MS = 2000
const LOG_LINES = 2000

/** Of a service, or of the sandbox itself. */
export interface LogSource {
  sandboxId: string
  service: string | null
}

/** The end of a log, so that what is kept of it is bounded; `text` is null where there is no log. */
export const printedLogQuery = (client: Client, { sandboxId, service }: LogSource, { follows }: { follows: boolean }) =>
  queryOptions({
    queryKey: keys.printedLog(sandboxId, service),
    queryFn: ({ signal }): Promise<{ text: string | null }> => {
      const query = { tail: LOG_LINES }
      const params = { sandbox_id: sandboxId }
      if (service === null) return client.call(getSandboxLog, { params, query, signal })
      return client.call(getSandboxServiceLog, { params: { ...params, name: service }, query, signal })
    },
    refetchInterval: follows && LOG_EVERY_MS,
    gcTime: 0,
  })

export type ServiceAct = { act: 'start' | 'stop' | 'restart'; name: string | null } | { act: 'delete' }

const ROUTES = { start: startSandboxServices, stop: stopSandboxServices, restart: restartSandboxServices } as const

/** The answer is shown at once; what comes after it arrives over the updates socket. */
export function useServiceAct(id: string) {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (asked: ServiceAct) =>
      asked.act === 'delete'
        ? client.call(deleteSandboxServices, of(id))
        : client.call(ROUTES[asked.act], { ...of(id), body: { names: asked.name === null ? null : [asked.name] } }),
    onSuccess: info => queries.setQueryData(keys.sandboxServices(id), info),
    onError: notifyError,
  })
}
