import { useMutation } from '@tanstack/react-query'
import { previewPort } from '../../../server/api/v1/sandbox/ports.ts'
import { useClient } from '../../api/session.ts'
import { notifyError } from '../../ui/overlay/toast.ts'
import { useOpenConversation } from './context.ts'
import { openLink } from './open-link.ts'

/** Opens what listens at a port of the conversation's sandbox in the browser. `path` begins with a slash. */
export function useOpenPort() {
  const client = useClient()
  const { info } = useOpenConversation()
  return useMutation({
    mutationFn: async ({ port, path = '/' }: { port: number; path?: string }) => {
      const { url } = await client.call(previewPort, { params: { sandbox_id: info.sandbox_id, port } })
      openLink(url + path.slice(1))
    },
    onError: notifyError,
  })
}
