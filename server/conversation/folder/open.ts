import type { Folders } from '../../folder/folders.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { ConversationService } from '../service.ts'
import { FolderApply } from './apply.ts'
import { FolderBranches } from './branches.ts'
import { FolderWork } from './work.ts'

/** The ways back into a folder of this computer. */
export function openFolderWork(dependencies: {
  conversations: Pick<ConversationService, 'find'>
  sandboxes: SandboxService
  settings: Pick<SettingsService, 'read'>
  folders: Folders
}) {
  const work = new FolderWork(dependencies)
  return {
    folderApply: new FolderApply({ ...dependencies, work }),
    folderBranches: new FolderBranches({ ...dependencies, work }),
  }
}
