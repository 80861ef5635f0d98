import type { UpdateProblem, UpdateState, Updates } from '../../../../electron/ipc.ts'
import { changeUpdates, useUpdates } from '../../../api/system/updates.ts'
import { formatMoment } from '../../../state/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { SwitchRow } from '../form/SwitchRow.tsx'
import { UPDATE_PROBLEM_WORDS } from './problems.ts'
import { ReleaseView } from './ReleaseView.tsx'
import { t } from './text.ts'

/** Updates of the desktop app. A browser shows none: what it shows is updated with the app. */
export function UpdatesGroup() {
  const updates = useUpdates()
  if (!updates) return null
  const { state } = updates
  if (state.kind === 'unavailable') {
    return (
      <Group title={t('updates')}>
        <SettingAnchor name="updates">
          <p className="text-soft">{state.reason === 'no_feed' ? t('noFeed') : t('brokenFeed')}</p>
        </SettingAnchor>
      </Group>
    )
  }
  return (
    <Group title={t('updates')} about={t('aboutUpdates')}>
      <SwitchRow
        name="updates"
        checked={updates.allowed === true}
        onCheckedChange={on => changeUpdates(on ? 'allow' : 'forbid')}
      />
      <Standing updates={updates} state={state} />
      {'problem' in state && state.problem ? <Problem problem={state.problem} /> : null}
      {'release' in state ? <ReleaseView state={state} /> : null}
      {updates.previous && !('release' in state && state.release.isOlder) ? (
        <GoBack previous={updates.previous} isBusy={state.kind === 'checking' || state.kind === 'downloading'} />
      ) : null}
    </Group>
  )
}

type Known = Exclude<UpdateState, { kind: 'unavailable' }>

function Standing({ updates, state }: { updates: Updates; state: Known }) {
  const { version, checkedAt } = updates
  if (state.kind === 'checking') {
    return (
      <div className="flex items-center gap-3">
        <p role="status" className="flex items-center gap-2 text-soft">
          <Spinner />
          {t('checking')}
        </p>
        <Button onClick={() => changeUpdates('cancel')}>{t('cancel')}</Button>
      </div>
    )
  }
  if (state.kind !== 'idle') return null
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button onClick={() => changeUpdates('check')}>{t('checkNow')}</Button>
      {state.problem ? null : (
        <p role="status" className="text-soft">
          {checkedAt === null
            ? t('neverChecked', { version })
            : t('upToDate', { version, moment: formatMoment(Date.parse(checkedAt)) })}
        </p>
      )}
    </div>
  )
}

function Problem({ problem: { code, detail } }: { problem: UpdateProblem }) {
  return (
    <Notice what={t('updateFailed')} meaning={UPDATE_PROBLEM_WORDS[code]}>
      {detail ? (
        <p dir="ltr" className="min-w-0 font-mono text-sm wrap-anywhere text-faint">
          {detail}
        </p>
      ) : null}
    </Notice>
  )
}

function GoBack({ previous, isBusy }: { previous: NonNullable<Updates['previous']>; isBusy: boolean }) {
  return (
    <div className="flex flex-col items-start gap-2">
      <Button busy={isBusy} onClick={() => changeUpdates('go_back')}>
        {t('goBack', { version: previous.version })}
      </Button>
      <p className="text-sm wrap-anywhere text-faint">
        {t('goBackHint')} {t('goBackNewerData', { backup: previous.backup })}
      </p>
    </div>
  )
}
