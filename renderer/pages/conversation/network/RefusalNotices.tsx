import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { shownName } from '../../../state/files/tree.ts'
import { type AttemptRow, newRefusals } from '../../../state/network/attempts.ts'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../context.ts'
import { t } from './text.ts'
import { useNetwork } from './use-network.ts'

/** What was refused while the conversation was on its way to the screen is news too. */
const GRACE_MS = 10_000

/** Says what the network policy refuses while the conversation is shown, each host once. Shows nothing itself. */
export function RefusalNotices() {
  const { showTab } = useOpenConversation()
  const { rows, edit } = useNetwork()
  const noticed = useRef(new Set<string>())
  const [since] = useState(() => new Date(Date.now() - GRACE_MS).toISOString())
  const say = useEffectEvent((fresh: readonly AttemptRow[]) => {
    const [first, ...more] = fresh
    if (!first) return
    const show = { label: t('show'), act: () => showTab('details') }
    const { entry, host } = first
    if (more.length > 0) notifyDone(t('hostsWereRefused', { count: fresh.length }), show)
    else if (host === null) notifyDone(t('addressWasRefused'), show)
    else {
      const allow = { label: t('allowThisHost'), act: () => edit({ kind: 'add', hosts: [entry ?? host] }) }
      notifyDone(t('wasRefused', { host: shownName(host) }), entry === null ? show : allow)
    }
  })
  useEffect(() => {
    const fresh = newRefusals(rows, noticed.current, since)
    for (const { host } of fresh) noticed.current.add(host ?? '')
    say(fresh)
  }, [rows, since])
  return null
}
