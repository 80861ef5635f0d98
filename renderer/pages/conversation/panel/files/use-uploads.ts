import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { keys } from '../../../../api/query-keys.ts'
import { uploadFile } from '../../../../api/sandbox/files.ts'
import { type Session, useSession } from '../../../../api/session.ts'
import { joined } from '../../../../state/files/tree.ts'
import { sizeRefusal } from '../../../../state/files/upload/size.ts'
import { type UploadOutcome, Uploads, type UploadsSnapshot } from '../../../../state/files/upload/uploads.ts'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

/** The uploads of the conversation, and how they stand: the same for every tab, and when one is shown again. */
export function useUploads(): { uploads: Uploads } & UploadsSnapshot {
  const { id } = useOpenConversation()
  const uploads = uploadsOf(useQueryClient(), useSession(), id)
  return { uploads, ...useSyncExternalStore(uploads.subscribe, uploads.snapshot) }
}

function uploadsOf(queries: QueryClient, session: Session, id: string): Uploads {
  const queryKey = keys.uploads(id)
  const known = queries.getQueryData<Uploads>(queryKey)
  if (known) return known
  const uploads = new Uploads({
    send: async (folder, { path, file }, means) => {
      const refusal = sizeRefusal(file)
      if (refusal) throw new Error(refusal)
      return uploadFile(session, { id, path: joined(folder, path), file, ...means })
    },
    onOutcome: say,
    unreadable: () => new Error(t('unreadable')),
  })
  // Nothing observes it as a query.
  queries.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY })
  queries.setQueryData(queryKey, uploads)
  return uploads
}

function say(outcome: UploadOutcome): void {
  switch (outcome.kind) {
    case 'uploaded':
      return void notifyDone(t('uploaded', { count: outcome.files }))
    case 'empty':
      return void notifyDone(t('nothingToUpload'))
    case 'stopped':
      return void notifyDone(t('uploadStopped'))
    case 'asks_unseen':
      return void notifyDone(t('uploadAsks'))
    case 'refused':
      return notifyError(new Error(t('uploadRunning')))
    case 'broken':
      return notifyError(outcome.error)
    case 'failed': {
      // One that goes on while another tab shows says there what became of it.
      const { failed, uploaded, isSeen } = outcome
      if (!isSeen) notifyError(new Error(t('uploadFailed', { failed, uploaded })))
    }
  }
}
