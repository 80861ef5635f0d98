import { useState } from 'react'
import { nameIn, parentOf, shownName } from '../../../../state/files/tree.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Checkbox } from '../../../../ui/field/Checkbox.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { Progress } from '../../../../ui/Progress.tsx'
import { t } from './text.ts'
import type { Uploads } from './use-uploads.ts'

/** How far an upload is, and what it has to ask. */
export function UploadBar({ uploads: { progress, question, stop } }: { uploads: Uploads }) {
  const [forAll, setForAll] = useState(false)
  if (!progress) return null
  const { done, total, bytes, allBytes } = progress
  const words = t('uploading', { done: String(done + 1), total: String(total) })
  return (
    <div role="status" className="flex shrink-0 items-center gap-2 border-line border-t px-3 py-2">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="text-sm">{words}</span>
        <Progress label={words} value={{ done: Math.min(bytes, allBytes), total: Math.max(1, allBytes) }} />
      </div>
      <Button size="small" onClick={stop}>
        {t('stopUpload')}
      </Button>
      {question && (
        <Dialog
          open
          onOpenChange={() => question.answer('skip', false)}
          title={t('alreadyThere', {
            name: shownName(nameIn(question.path)),
            folder: shownName(parentOf(question.path)),
          })}
          description={t('whatToDo')}
          footer={(['skip', 'keep_both', 'replace'] as const).map(choice => (
            <Button key={choice} onClick={() => question.answer(choice, forAll)}>
              {{ skip: t('skip'), keep_both: t('keepBoth'), replace: t('replace') }[choice]}
            </Button>
          ))}
        >
          <Checkbox checked={forAll} onCheckedChange={setForAll}>
            {t('forAll')}
          </Checkbox>
        </Dialog>
      )}
    </div>
  )
}
