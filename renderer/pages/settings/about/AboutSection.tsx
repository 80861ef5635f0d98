import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type {
  EngineStatus,
  KeychainStatus,
  SandboxImageStatus,
  SystemStatus,
} from '../../../../server/api/v1/system/system.ts'
import { systemQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { useRecheck } from '../../../api/settings.ts'
import { UnlockKeychain } from '../../../components/banner/UnlockKeychain.tsx'
import { EngineSteps } from '../../../components/steps/EngineSteps.tsx'
import { formatBytes } from '../../../state/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { DiagnosisGroup } from '../diagnosis/DiagnosisGroup.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { UpdatesGroup } from '../updates/UpdatesGroup.tsx'
import { t } from './text.ts'

export function AboutSection() {
  const { data: system, error, isPending, refetch } = useQuery(systemQuery(useClient()))
  const recheck = useRecheck()
  if (isPending) return <Skeleton label={t('loadingSystemsState')} />
  if (error && !system) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  return (
    <>
      {system.engine.state === 'unavailable' ? (
        <>
          <Notice what={system.engine.reason} meaning={t('sandboxesNeedEngine')} />
          <EngineSteps steps={system.engine.steps} />
        </>
      ) : null}
      {system.keychain.state === 'locked' ? (
        <Notice tone="wait" what={t('keychainIsLocked')} meaning={t('storedKeysCannotBeRead')}>
          <UnlockKeychain />
        </Notice>
      ) : null}
      <SettingAnchor name="system_state">
        <Facts system={system} />
      </SettingAnchor>
      <Button className="self-start" busy={recheck.isPending} onClick={() => recheck.mutate()}>
        {t('checkEngineAndKeychainAgain')}
      </Button>
      {recheck.error ? <ErrorNotice error={recheck.error} /> : null}
      <UpdatesGroup />
      <DiagnosisGroup system={system} />
    </>
  )
}

const KEYCHAIN: Record<KeychainStatus['state'], string> = {
  ready: t('ready'),
  locked: t('locked'),
  missing: t('notOnThisMachine'),
  failed: t('doesNotWork'),
}

const IMAGE: Record<Exclude<SandboxImageStatus['state'], 'loading'>, string> = {
  ready: t('loaded'),
  not_loaded: t('notLoadedYet'),
  not_bundled: t('notPartOfThisInstallation'),
  failed: t('couldNotBeLoaded'),
}

function Facts({ system }: { system: SystemStatus }) {
  const { engine, keychain, sandbox_image: image } = system
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2">
      <Fact name={t('version')}>{t('versionOnPlatform', { version: system.version, platform: system.platform })}</Fact>
      <Fact name={t('engine')}>
        {engine.state === 'ready' ? `${engine.name} ${engine.version}` : t('notAvailable')}
        {engine.state === 'ready' ? (
          <Note>
            {t('engineFacts', {
              endpoint: engine.endpoint,
              cpus: engine.cpus,
              memory: formatBytes(engine.memory_bytes),
              running: system.running_sandboxes,
            })}
          </Note>
        ) : null}
      </Fact>
      {engine.state === 'ready' ? <Isolation engine={engine} /> : null}
      <Fact name={t('sandboxImage')}>
        {image.state === 'loading'
          ? t('imageProgress', { done: formatBytes(image.done_bytes), total: formatBytes(image.total_bytes) })
          : IMAGE[image.state]}
        <Note>{image.reason ?? image.reference}</Note>
      </Fact>
      <Fact name={t('keychain')}>
        {KEYCHAIN[keychain.state]}
        <Note>
          {keychain.reason ?? (keychain.storage === 'keychain' ? t('keysAreStored') : null)}
          {keychain.storage === 'session-only' ? <> {t('keysInMemory')}</> : null}
        </Note>
      </Fact>
      <Fact name={t('data')}>
        <span className="font-mono text-sm">{system.data_dir}</span>
        {system.data_dir_open ? <Note>{t('otherUsersOfThisComputer')}</Note> : null}
      </Fact>
      <Fact name={t('licences')}>
        <Licences />
      </Fact>
    </dl>
  )
}

const NoticesDialog = lazy(async () => ({ default: (await import('./NoticesDialog.tsx')).NoticesDialog }))

function Licences() {
  const [shows, setShows] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setShows(true)}>
        {t('thirdPartyNotices')}
      </Button>
      {shows ? (
        <Suspense fallback={null}>
          <NoticesDialog onClose={() => setShows(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

type Engine = Extract<EngineStatus, { state: 'ready' }>

const ROOT: Record<Engine['user_namespace'], string> = {
  none: t('rootIsRoot'),
  remapped: t('rootIsRemapped'),
  rootless: t('rootIsPerson'),
}

const CALLS: Record<Engine['seccomp'], string> = {
  own: t('seccompOwn'),
  engine: t('seccompEngine'),
  none: t('seccompNone'),
}

function Isolation({ engine }: { engine: Engine }) {
  return (
    <Fact name={t('isolation')}>
      {ROOT[engine.user_namespace]}
      <Note>{CALLS[engine.seccomp]}</Note>
      <Note>{t('runtimes', { names: engine.runtimes.map(({ name }) => name).join(', ') })}</Note>
    </Fact>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}

function Note({ children }: { children: ReactNode }) {
  return <span className="block text-sm wrap-anywhere text-faint">{children}</span>
}
