import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { settingsQuery } from '../../../api/queries.ts'
import { useSandboxNetwork } from '../../../api/sandbox/network.ts'
import { useClient } from '../../../api/session.ts'
import { attemptRows } from '../../../state/network/attempts.ts'
import { editedPolicy, type PolicyEdit, reversed } from '../../../state/network/policy.ts'
import { editWords } from '../../../state/network/words.ts'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../context.ts'
import { useSandbox } from '../use-sandbox.ts'
import { t } from './text.ts'

/** The network of the conversation's sandbox. An edit holds at once, and can be taken back for a while. */
export function useNetwork() {
  const { info } = useOpenConversation()
  const { data, change: send, ...query } = useSandboxNetwork(info.sandbox_id)
  const { data: settings } = useQuery(settingsQuery(useClient()))
  const allowedHosts = settings?.allowed_hosts
  const rows = useMemo(() => (data ? attemptRows(data, allowedHosts ?? []) : []), [data, allowedHosts])
  const closeLast = useRef(() => {})
  const fixedReason = useFixedReason(data === null)
  function put(edit: PolicyEdit) {
    return send(policy => editedPolicy(policy, edit))
  }
  /** The page may be another one by the time it is answered, so nothing here waits for a render. */
  async function change(edit: PolicyEdit, isSaid: boolean) {
    const before = await put(edit)
    // One at a time: they would lie on the panel that they are about.
    closeLast.current()
    if (!before || !isSaid) return
    const act = () => void put(reversed(before, edit))
    closeLast.current = notifyDone(editWords(edit), { label: t('undo'), act })
  }
  /** `isSaid`: not where the change is seen at once, and taken back as easily. */
  function edit(edit: PolicyEdit, { isSaid = true } = {}) {
    void change(edit, isSaid)
  }
  return { network: data, rows, fixedReason, edit, ...query }
}

/** Why it cannot be changed now; null when it can. */
function useFixedReason(isGone: boolean): string | null {
  const { status, unreachable } = useSandbox()
  if (unreachable) return t('engineIsAway')
  if (isGone || status === 'MISSING') return t('sandboxIsGone')
  return status === 'STARTING' ? t('sandboxIsStarting') : null
}
