import { Link } from '@tanstack/react-router'
import type { DiagnosisAction } from '../../../../server/api/v1/system/diagnosis.ts'
import { DEFAULT_ENGINE } from '../../../../server/api/v1/system/engines.ts'
import { useCheckEngine } from '../../../api/sandbox/engines.ts'
import { useRecheck, useUnlockKeychain } from '../../../api/settings.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { notifyError } from '../../../ui/overlay/toast.ts'
import type { SettingsSection } from '../sections.ts'
import { t } from './text.ts'

interface Props {
  action: DiagnosisAction
  /** What was found may be about it. */
  engineId: string
  /** It may be well now. */
  onRepaired: () => void
  onShowLog: () => void
}

/** The operation or the page that may repair what was found. */
export function Repair({ action, engineId, onRepaired, onShowLog }: Props) {
  const recheck = useRecheck()
  const checkEngine = useCheckEngine()
  const unlock = useUnlockKeychain()
  const ended = { onSuccess: onRepaired, onError: notifyError }
  switch (action) {
    case 'check_again':
      return (
        <Button
          size="small"
          className="self-start"
          busy={recheck.isPending || checkEngine.isPending}
          onClick={() =>
            engineId === DEFAULT_ENGINE ? recheck.mutate(undefined, ended) : checkEngine.mutate(engineId, ended)
          }
        >
          {t('checkAgain')}
        </Button>
      )
    case 'unlock_keychain':
      return (
        <Button
          size="small"
          className="self-start"
          busy={unlock.isPending}
          onClick={() => unlock.mutate(undefined, ended)}
        >
          {t('unlock')}
        </Button>
      )
    case 'show_log':
      return (
        <Button size="small" className="self-start" onClick={onShowLog}>
          {t('openLog')}
        </Button>
      )
    case 'choose_model':
      return <PageLink section="model" words={t('chooseModel')} />
    case 'choose_spec':
      return <PageLink section="sandbox" words={t('chooseSpec')} />
    case 'free_space':
      return <PageLink section="storage" words={t('freeSpace')} />
  }
}

function PageLink({ section, words }: { section: SettingsSection; words: string }) {
  return (
    <Link to="/settings/$section" params={{ section }} className={`${buttonClass('secondary', 'small')} self-start`}>
      {words}
    </Link>
  )
}
