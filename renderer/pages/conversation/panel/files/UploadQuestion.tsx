import { useState } from 'react'
import { nameIn, parentOf, shownName } from '../../../../state/files/tree.ts'
import type { UploadsSnapshot } from '../../../../state/files/upload/uploads.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Checkbox } from '../../../../ui/field/Checkbox.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { t } from './text.ts'

/** What becomes of a file whose name is taken. */
export function UploadQuestion({ question }: { question: NonNullable<UploadsSnapshot['question']> }) {
  const [forAll, setForAll] = useState(false)
  return (
    <Dialog
      open
      onOpenChange={() => question.answer('skip', false)}
      title={t('alreadyThere', { name: shownName(nameIn(question.path)), folder: shownName(parentOf(question.path)) })}
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
  )
}
