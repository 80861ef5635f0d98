import type { MountPolicyContext } from '../../sandbox/files/mounts.ts'
import { ConfirmedFolderTable } from '../../store/confirmed-folders.ts'
import type { ConversationTable } from '../../store/conversation/conversations.ts'
import type { Database } from '../../store/database/database.ts'
import { Folders } from '../folders.ts'
import { FolderMounts } from './mounts.ts'
import { WorktreeRecords } from './worktree-records.ts'

/** Folders of this computer, as they are copied and as they are mounted. @param ground as in `FolderMounts` */
export function openFolders({
  dataDir,
  database,
  conversations,
  ground,
}: {
  dataDir: string
  database: Database
  conversations: Pick<ConversationTable, 'present'>
  ground: (specId: string | null | undefined) => Promise<MountPolicyContext>
}) {
  const folders = new Folders({ dataDir })
  void folders.start()
  void folders.imported.tidy(ids => conversations.present(ids))
  const mounts = new FolderMounts({
    folders,
    confirmed: new ConfirmedFolderTable(database),
    records: new WorktreeRecords(dataDir),
    ground,
  })
  return { folders, mounts }
}
