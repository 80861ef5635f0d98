import { deleteAttachment, uploadAttachment } from '../../../server/api/v1/conversation/attachments.ts'
import { sendFile } from '../../api/sandbox/send-file.ts'
import { useClient, useSession } from '../../api/session.ts'
import { type Attaching, useAttaching } from '../../components/attaching/use-attaching.ts'
import { useLaunchAttachments } from '../../state/launch/draft.ts'

/** Attaches files to a new conversation: they wait at the service until its sandbox is there. */
export function useLaunchAttaching(): Attaching {
  const session = useSession()
  const client = useClient()
  return useAttaching(useLaunchAttachments(), {
    send: async ({ name, ...sent }) => {
      const answer = await sendFile(session, { path: uploadAttachment.path, name: 'file', ...sent })
      return uploadAttachment.reply.parse(JSON.parse(answer)).id
    },
    // The service removes it in a day, whatever comes of this.
    discard: attachment_id => void client.call(deleteAttachment, { params: { attachment_id } }).catch(() => {}),
  })
}
