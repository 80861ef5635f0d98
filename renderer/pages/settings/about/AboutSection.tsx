import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KeychainStatus, SandboxImageStatus, SystemStatus } from '../../../../server/api/v1/system/system.ts'
import { systemQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { useRecheck } from '../../../api/settings.ts'
import { UnlockKeychain } from '../../../components/banner/UnlockKeychain.tsx'
import { EngineSteps } from '../../../components/EngineSteps.tsx'
import { count, formatBytes } from '../../../state/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Place } from '../form/Place.tsx'

export function AboutSection() {
  const { data: system, error, isPending, refetch } = useQuery(systemQuery(useClient()))
  const recheck = useRecheck()
  if (isPending) return <Skeleton label="Loading the system's state" />
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  return (
    <>
      {system.engine.state === 'unavailable' ? (
        <>
          <Notice
            what={system.engine.reason}
            meaning="Sandboxes cannot start until an engine answers. Your conversations can still be read."
          />
          <EngineSteps steps={system.engine.steps} />
        </>
      ) : null}
      {system.keychain.state === 'locked' ? (
        <Notice
          tone="wait"
          what="The keychain is locked."
          meaning="Stored keys cannot be read, and none can be stored, until it is unlocked."
        >
          <UnlockKeychain />
        </Notice>
      ) : null}
      <Place name="system_state">
        <Facts system={system} />
      </Place>
      <Button className="self-start" busy={recheck.isPending} onClick={() => recheck.mutate()}>
        Check engine and keychain again
      </Button>
      {recheck.error ? <ErrorNotice error={recheck.error} /> : null}
    </>
  )
}

const KEYCHAIN: Record<KeychainStatus['state'], string> = {
  ready: 'Ready',
  locked: 'Locked',
  missing: 'Not on this machine',
  failed: 'Does not work',
}

const IMAGE: Record<SandboxImageStatus['state'], string> = {
  ready: 'Loaded',
  loading: 'Loading',
  not_loaded: 'Not loaded yet',
  not_bundled: 'Not part of this installation',
  failed: 'Could not be loaded',
}

function Facts({ system }: { system: SystemStatus }) {
  const { engine, keychain, sandbox_image: image } = system
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-2">
      <Fact name="Version">
        {system.version} on {system.platform}
      </Fact>
      <Fact name="Engine">
        {engine.state === 'ready' ? `${engine.name} ${engine.version}` : 'Not available'}
        {engine.state === 'ready' ? (
          <Note>
            {engine.endpoint} · {count(engine.cpus, 'processor')} · {formatBytes(engine.memory_bytes)} memory ·{' '}
            {count(system.running_sandboxes, 'sandbox', 'sandboxes')} running
          </Note>
        ) : null}
      </Fact>
      <Fact name="Sandbox image">
        {IMAGE[image.state]}
        {image.state === 'loading' ? `, ${formatBytes(image.done_bytes)} of ${formatBytes(image.total_bytes)}` : null}
        <Note>{image.reason ?? image.reference}</Note>
      </Fact>
      <Fact name="Keychain">
        {KEYCHAIN[keychain.state]}
        <Note>
          {keychain.reason ?? (keychain.storage === 'keychain' ? 'Keys are stored in it.' : null)}
          {keychain.storage === 'session-only' ? ' Keys are kept in memory only.' : null}
        </Note>
      </Fact>
      <Fact name="Data">
        <span className="font-mono text-sm">{system.data_dir}</span>
        {system.data_dir_open ? (
          <Note>
            Other users of this computer can read this folder, and Atelier could not change its permissions. Remove
            their access, or choose another folder with ATELIER_DATA_DIR.
          </Note>
        ) : null}
      </Fact>
    </dl>
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
