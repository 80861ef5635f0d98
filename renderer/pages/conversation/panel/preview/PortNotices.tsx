import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { SandboxPort } from '../../../../../server/api/v1/sandbox/ports.ts'
import { shownName } from '../../../../state/files/tree.ts'
import { newPorts, portKey } from '../../../../state/preview/new-ports.ts'
import { ACTION_MS, notifyDone } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { useShowPort } from '../../link/use-open-port.ts'
import { t } from './text.ts'
import { usePorts } from './use-ports.ts'

const LOOK_MS = 3_000
/** A development server takes its time to begin. */
const LINGER_MS = 30_000

interface PortNoticesProps {
  /** The tab that the panel shows; null while it is folded. */
  shownTab: string | null
}

/**
 * Says which programs begin to listen while the conversation is shown, each once. It looks for them while the agent works,
 * while terminals or the ports are in sight, and a little longer. Shows nothing itself.
 */
export function PortNotices({ shownTab }: PortNoticesProps) {
  const { status, preview, showTab } = useOpenConversation()
  const showPort = useShowPort()
  const isWatched = useLingering(status === 'running' || shownTab === 'terminal' || shownTab === 'preview')
  const { data, dataUpdatedAt } = usePorts({ everyMs: isWatched && LOOK_MS })
  const [openedAt] = useState(Date.now)
  /** null until it is known what listened when the conversation was opened. */
  const known = useRef<ReadonlySet<string>>(null)
  const last = useRef({ keys: new Set<string>(), at: 0, close: () => {} })
  const isPreviewShown = shownTab === 'preview'

  const notice = useEffectEvent((ports: readonly SandboxPort[]) => {
    const fresh = known.current ? newPorts(known.current, ports) : []
    known.current = new Set([...(known.current ?? []), ...ports.map(portKey)])
    // One notice for what comes after each other, and none for what has ended meanwhile.
    const isShown = Date.now() - last.current.at < ACTION_MS
    const before = isShown ? ports.filter(each => last.current.keys.has(portKey(each))) : []
    if (fresh.length === 0 && (!isShown || before.length > 0)) return
    last.current.close()
    const all = [...before, ...fresh]
    const close = fresh.length > 0 ? noticeOf(all) : () => {}
    last.current = { keys: new Set(all.map(portKey)), at: Date.now(), close }
    if (!isPreviewShown) preview.mark(fresh.map(({ port }) => port))
  })
  function noticeOf([first, ...more]: SandboxPort[]): () => void {
    if (!first) return () => {}
    const answered = (act: () => void) => () => {
      last.current.keys = new Set()
      act()
    }
    if (more.length > 0) {
      const show = { label: t('showNewPorts'), act: answered(() => showTab('preview')) }
      return notifyDone(t('programsListen', { count: more.length + 1 }), show)
    }
    const { port, program } = first
    const words = t('programListens', { program: shownName(program ?? ''), port: String(port) })
    return notifyDone(words, { label: t('open'), act: answered(() => showPort({ port, path: '/' })) })
  }
  // What is still in the cache may be older than this page.
  const isCurrent = dataUpdatedAt >= openedAt
  useEffect(() => {
    if (data && isCurrent) notice(data)
  }, [data, isCurrent])
  const see = useEffectEvent(preview.unmark)
  useEffect(() => {
    if (isPreviewShown) see()
  }, [isPreviewShown])
  // On another page nobody could see what it opens.
  useEffect(() => () => last.current.close(), [])
  return null
}

/** Whether something is so, or was until a moment ago; at first it counts as having been. */
function useLingering(isSo: boolean): boolean {
  const [lingers, setLingers] = useState(true)
  useEffect(() => {
    if (isSo) return setLingers(true)
    const timer = setTimeout(() => setLingers(false), LINGER_MS)
    return () => clearTimeout(timer)
  }, [isSo])
  return isSo || lingers
}
