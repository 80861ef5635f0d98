import { useSandboxAct } from '../../../../api/sandboxes.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Notice } from '../../../../ui/ErrorNotice.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

/** Says that nothing goes on in the sandbox, and lets it go on. */
export function ResumeNotice({ what }: { what: string }) {
  const { info } = useOpenConversation()
  const act = useSandboxAct(info.sandbox_id)
  return (
    <div className="p-2">
      <Notice tone="wait" what={what}>
        <Button size="small" busy={act.isPending} onClick={() => act.mutate('resume')}>
          {t('resume')}
        </Button>
      </Notice>
    </div>
  )
}
