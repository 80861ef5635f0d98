import { useQuery } from '@tanstack/react-query'
import type { UserInstructions } from '../../../../server/api/v1/transfer/instructions.ts'
import { useClient } from '../../../api/session.ts'
import { instructionsQuery, useImportInstructions, useRemoveInstructions } from '../../../api/system/instructions.ts'
import { formatBytes } from '../../../state/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { t } from './text.ts'

/** What a person has written for other agents, to be taken over and given up again. */
export function InstructionsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(instructionsQuery(useClient()))
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={t('instructionsTitle')}
      description={t('aboutInstructions')}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
    >
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error && <Skeleton label={t('lookingForInstructions')} lines={3} />}
      {data?.items.length === 0 && (
        <p className="text-soft">{t('noInstructions', { files: data.looked_for.join(', ') })}</p>
      )}
      {data && data.items.length > 0 && (
        <ul className="flex flex-col gap-3">
          {data.items.map(item => (
            <Instructions key={item.program} item={item} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function Instructions({ item }: { item: UserInstructions }) {
  const { program, name, path, size_bytes, state, imported_as } = item
  const take = useImportInstructions()
  const remove = useRemoveInstructions()
  const problem = take.error ?? remove.error
  const isImported = state !== 'found'
  return (
    <li aria-label={name} className="flex flex-col gap-1">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="font-medium">{name}</p>
          <p className="break-words text-faint text-sm">
            <code>{path}</code>
            {size_bytes !== null && ` · ${formatBytes(size_bytes)}`}
          </p>
          <p role="status" className="break-words text-sm text-soft">
            {isImported && t(WORDS[state], { file: imported_as })}
          </p>
        </div>
        <div className="flex shrink-0 gap-2">
          {(state === 'found' || state === 'changed') && (
            <Button size="small" busy={take.isPending} onClick={() => take.mutate(program)}>
              {state === 'found' ? t('takeOver') : t('takeOverAgain')}
            </Button>
          )}
          {isImported && (
            <Button size="small" busy={remove.isPending} onClick={() => remove.mutate(program)}>
              {t('removeInstructions')}
            </Button>
          )}
        </div>
      </div>
      {problem ? <ErrorNotice error={problem} /> : null}
    </li>
  )
}

const WORDS = {
  imported: 'instructionsAreRead',
  changed: 'instructionsHaveChanged',
  gone: 'instructionsAreGone',
} as const
