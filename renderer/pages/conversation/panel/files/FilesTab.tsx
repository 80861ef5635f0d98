import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { useSandbox } from '../../use-sandbox.ts'
import { useChanges } from '../changes/use-changes.ts'
import { FilesPane } from './FilesPane.tsx'
import { t } from './text.ts'

/** The files of the sandbox, which can be asked for while it runs. */
export function FilesTab() {
  const { isUsable } = useSandbox()
  const changes = useChanges()
  if (!isUsable) return <EmptyState title={t('notRunning')}>{t('filesWhenRunning')}</EmptyState>
  return <FilesPane changes={changes} />
}
