import { useMutation } from '@tanstack/react-query'
import { previewPort } from '../../../../server/api/v1/sandbox/ports.ts'
import { useClient } from '../../../api/session.ts'
import { notifyError } from '../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../context.ts'
import { openLink } from './open-link.ts'

/** The address at which a browser sees a port of the conversation's sandbox; it ends with a slash. */
export function usePreviewAddress(): (port: number) => Promise<string> {
  const client = useClient()
  const { info } = useOpenConversation()
  return async port => (await client.call(previewPort, { params: { sandbox_id: info.sandbox_id, port } })).url
}

/** Opens what listens at a port of the conversation's sandbox in the browser. `path` begins with a slash. */
export function useOpenPort() {
  const addressOf = usePreviewAddress()
  return useMutation({
    mutationFn: async ({ port, path = '/' }: { port: number; path?: string }) =>
      openLink((await addressOf(port)) + path.slice(1)),
    onError: notifyError,
  })
}

/** Shows what listens at a port: in the panel, or from a browser in another tab of it. `path` begins with a slash. */
export function useShowPort(): (target: { port: number; path: string }) => void {
  const { preview } = useOpenConversation()
  const open = useOpenPort()
  return target => (preview.show ? preview.show(`http://localhost:${target.port}${target.path}`) : open.mutate(target))
}
