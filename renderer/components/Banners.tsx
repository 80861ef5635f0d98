import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CloudOff, KeyRound, type LucideIcon, Unplug } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { KeychainStatus } from '../../server/api/system.ts'
import { recheckQuery, systemQuery } from '../api/queries.ts'
import { useClient, useSession } from '../api/session.ts'
import { useRecheck } from '../api/settings.ts'
import { usePreference } from '../state/preference.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { UnlockKeychain } from './UnlockKeychain.tsx'

/** What concerns the whole window, above every page. `engine` false: the page itself tells about the engine. */
export function Banners({ engine = true }: { engine?: boolean }) {
  const { data: system } = useQuery(systemQuery(useClient()))
  const { updates } = useSession()
  const connection = useSyncExternalStore(updates.subscribe, updates.state)
  if (connection === 'lost') return <ConnectionBanner onReconnect={updates.open} />
  return (
    <>
      {engine && system?.engine.state === 'unavailable' ? <EngineBanner reason={system.engine.reason} /> : null}
      {system && system.keychain.state !== 'ready' ? <KeychainBanner keychain={system.keychain} /> : null}
    </>
  )
}

function ConnectionBanner({ onReconnect }: { onReconnect: () => void }) {
  return (
    <Banner
      icon={CloudOff}
      tone="bad"
      what="The connection to the service is lost."
      meaning="Reconnecting. What you see may be out of date."
    >
      <Button size="small" onClick={onReconnect}>
        Reconnect now
      </Button>
    </Banner>
  )
}

/** Rechecks by itself for as long as it shows. */
function EngineBanner({ reason }: { reason: string }) {
  const recheck = useQuery(recheckQuery(useClient(), useQueryClient()))
  return (
    <Banner
      icon={Unplug}
      tone="bad"
      what={reason}
      meaning="Sandboxes cannot start until an engine answers. Atelier keeps looking."
    >
      <Button size="small" busy={recheck.isFetching} onClick={() => void recheck.refetch()}>
        Check again
      </Button>
      <Link to="/settings/$section" params={{ section: 'about' }} className={buttonLook('secondary', 'small')}>
        What to do
      </Link>
    </Banner>
  )
}

const KEYCHAIN_WORDS: Record<Exclude<KeychainStatus['state'], 'ready'>, string> = {
  locked: 'The keychain is locked.',
  missing: 'This machine has no keychain that answers.',
  failed: 'The keychain does not work.',
}

const STORAGE_WORDS: Record<KeychainStatus['storage'], string> = {
  keychain: 'Stored keys cannot be read until it is unlocked.',
  'session-only':
    'Keys are kept in memory only and are gone when Atelier quits. They are never written to disk in clear.',
}

function KeychainBanner({ keychain }: { keychain: KeychainStatus }) {
  const [dismissed, dismiss] = usePreference('keychain-notice', '', sessionStorage)
  const recheck = useRecheck()
  const { state, storage } = keychain
  if (state === 'ready' || dismissed === state) return null
  return (
    <Banner icon={KeyRound} tone="wait" what={KEYCHAIN_WORDS[state]} meaning={STORAGE_WORDS[storage]}>
      {state === 'locked' && <UnlockKeychain />}
      <Button size="small" busy={recheck.isPending} onClick={() => recheck.mutate()}>
        Check again
      </Button>
      <Button size="small" look="quiet" onClick={() => dismiss(state)}>
        Hide
      </Button>
    </Banner>
  )
}

interface BannerProps {
  icon: LucideIcon
  tone: 'bad' | 'wait'
  what: string
  meaning: string
  children: ReactNode
}

function Banner({ icon: Icon, tone, what, meaning, children }: BannerProps) {
  const wash = tone === 'bad' ? 'bg-bad-wash' : 'bg-wait-wash'
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2 ${wash}`}
    >
      <Icon size={15} aria-hidden className={`shrink-0 ${tone === 'bad' ? 'text-bad' : 'text-wait'}`} />
      <p className="min-w-0 flex-1 basis-72">
        <span className="font-medium">{what}</span> <span className="text-soft">{meaning}</span>
      </p>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  )
}
