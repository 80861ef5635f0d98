import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { shownName } from '../../../state/files/tree.ts'
import { type AttemptRow, newRefusals } from '../../../state/network/attempts.ts'
import { ACTION_MS, notifyDone } from '../../../ui/overlay/toast.ts'
import { useShowNetwork } from './show-network.ts'
import { t } from './text.ts'
import { useNetwork } from './use-network.ts'

/** What was refused while the conversation was on its way to the screen is news too. */
const GRACE_MS = 10_000

/** Says what the network policy refuses while the conversation is shown, each host once. Shows nothing itself. */
export function RefusalNotices() {
  const showNetwork = useShowNetwork()
  const { rows, edit } = useNetwork()
  const noticed = useRef(new Set<string>())
  const [since] = useState(() => new Date(Date.now() - GRACE_MS).toISOString())
  const last = useRef({ keys: new Set<string>(), at: 0, close: () => {} })
  const say = useEffectEvent((fresh: readonly AttemptRow[]) => {
    if (fresh.length === 0) return
    // One notice for what comes after each other: a package manager tries many hosts.
    const isShown = Date.now() - last.current.at < ACTION_MS
    last.current.close()
    const before = isShown ? rows.filter(({ key, state }) => state === 'refused' && last.current.keys.has(key)) : []
    const all = [...before, ...fresh]
    last.current = { keys: new Set(all.map(({ key }) => key)), at: Date.now(), close: noticeOf(all) }
  })
  function noticeOf(all: readonly AttemptRow[]): () => void {
    const [first, ...more] = all
    const show = { label: t('show'), act: showNetwork }
    if (more.length > 0) return notifyDone(t('hostsWereRefused', { count: all.length }), show)
    if (!first || first.host === null) return notifyDone(t('addressWasRefused'), show)
    const { entry, host } = first
    const allow = entry !== null && { label: t('allowThisHost'), act: () => edit({ kind: 'add', hosts: [entry] }) }
    return notifyDone(t('wasRefused', { host: shownName(host) }), allow || show)
  }
  useEffect(() => {
    const fresh = newRefusals(rows, noticed.current, since)
    for (const { host } of fresh) noticed.current.add(host ?? '')
    say(fresh)
  }, [rows, since])
  // On another page nobody could see what it shows.
  useEffect(() => () => last.current.close(), [])
  return null
}
