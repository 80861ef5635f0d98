import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { useSandbox } from '../../use-sandbox.ts'
import type { Changes } from '../changes/use-changes.ts'
import { FilesPane } from './FilesPane.tsx'
import { t } from './text.ts'

/** The files of the sandbox, which can be asked for while it runs. */
export function FilesTab({ changes }: { changes: Changes }) {
  const { isUsable } = useSandbox()
  if (!isUsable) return <EmptyState title={t('notRunning')}>{t('filesWhenRunning')}</EmptyState>
  return <FilesPane changes={changes} />
}
