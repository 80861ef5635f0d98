import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  closeTerminal,
  createTerminal,
  listTerminals,
  restartTerminal,
  type TerminalInfo,
  updateTerminal,
} from '../../../../../server/api/v1/sandbox/terminals.ts'
import { ApiError } from '../../../../../server/client/api-error.ts'
import { keys } from '../../../../api/query-keys.ts'
import { useClient } from '../../../../api/session.ts'
import { notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'

/** The terminals of the conversation's sandbox, and what can be done with them. */
export function useTerminals() {
  const client = useClient()
  const queryClient = useQueryClient()
  const { info } = useOpenConversation()
  const sandbox_id = info.sandbox_id
  const queryKey = keys.terminals(sandbox_id)
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.call(listTerminals, { params: { sandbox_id }, signal }),
  })
  const onSettled = () => queryClient.invalidateQueries({ queryKey })
  const at = ({ id }: TerminalInfo) => ({ sandbox_id, terminal_id: id })
  const create = useMutation({
    mutationFn: () => client.call(createTerminal, { params: { sandbox_id }, body: { conversation_id: info.id } }),
    onSettled,
  })
  const rename = useMutation({
    mutationFn: ({ terminal, name }: { terminal: TerminalInfo; name: string }) =>
      client.call(updateTerminal, { params: at(terminal), body: { name } }),
    onError: notifyError,
    onSettled,
  })
  const restart = useMutation({
    mutationFn: (terminal: TerminalInfo) => client.call(restartTerminal, { params: at(terminal) }),
    onError: notifyError,
    onSettled,
  })
  const close = useMutation({
    mutationFn: ({ terminal, ifIdle }: { terminal: TerminalInfo; ifIdle: boolean }) =>
      client.call(closeTerminal, { params: at(terminal), query: { if_idle: ifIdle } }),
    onError: error => {
      if (!isBusy(error)) notifyError(error)
    },
    onSettled,
  })
  return { query, create, rename, restart, close }
}

/** A program runs in the terminal that was to be closed. */
export function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'conflict'
}
