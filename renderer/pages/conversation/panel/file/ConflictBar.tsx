import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { DiffView } from '../../timeline/action/DiffView.tsx'
import { t } from '../files/text.ts'
import type { OpenText } from './use-file-text.ts'

/** The agent, or a program of it, has changed what a person edits. */
export function ConflictBar({ path, file }: { path: string; file: OpenText }) {
  const [isOpen, setOpen] = useState(false)
  const { conflict } = file
  if (!conflict) return null
  const { theirs } = conflict
  return (
    <div role="alert" className="shrink-0 border-line border-b bg-wait-wash">
      <div className="flex flex-wrap items-center gap-2 px-4 py-2">
        <p className="min-w-0 flex-1">{theirs ? t('conflict') : t('gone')}</p>
        {theirs && (
          <>
            <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? t('hideDifference') : t('showDifference')}
            </Button>
            <Button size="small" onClick={file.takeTheirs}>
              {t('takeTheirs')}
            </Button>
          </>
        )}
        <Button size="small" busy={file.isSaving} onClick={file.overwrite}>
          {t('overwrite')}
        </Button>
      </div>
      {isOpen && theirs && (
        <div className="max-h-80 overflow-auto border-line border-t bg-surface">
          <DiffView path={path} before={theirs.text} after={file.text} />
        </div>
      )}
    </div>
  )
}
