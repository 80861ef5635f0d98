import { FolderInput } from 'lucide-react'
import { folderName } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'
import { t } from '../text.ts'

/** For a conversation that works on a folder: where its files are or, for a copy, the way back into it. */
export function ApplyBar() {
  const { info, ask } = useOpenConversation()
  const running = useSandbox().isUsable
  const folder = info.source_folder
  if (folder === null) return null
  if (info.mounted_folder !== null) {
    const text = t(info.folder_mode === 'worktree' ? 'worktreeOfFolder' : 'worksInFolder', {
      folder: folderName(info.mounted_folder),
    })
    return (
      <p className="border-line border-b px-3 py-2 text-soft" title={info.mounted_folder}>
        {text}
      </p>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
      <span className="min-w-0 flex-1 truncate text-soft" title={folder}>
        {t('copyOfFolder', { folder: folderName(folder) })}
      </span>
      <Button
        size="small"
        icon={<FolderInput size={13} aria-hidden />}
        disabledReason={running ? null : t('resumeSandboxToApply')}
        onClick={() => ask('apply')}
      >
        {t('applyToFolder')}
      </Button>
    </div>
  )
}
