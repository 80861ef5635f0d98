import type { AppConversationStartTask } from '../../api/v1/conversation/starts.ts'
import type { Bus } from '../../bus.ts'

/** The task as it is, then as it becomes, until its start has ended or nobody listens any more. */
export async function* followStart(
  first: AppConversationStartTask,
  source: { bus: Bus; get(id: string): AppConversationStartTask | undefined },
  signal: AbortSignal,
): AsyncGenerator<AppConversationStartTask> {
  let wake = () => {}
  let changed = false
  const notice = () => {
    changed = true
    wake()
  }
  const unsubscribe = source.bus.subscribe(change => {
    if (change.resource === 'start-task' && change.id === first.id) notice()
  })
  signal.addEventListener('abort', notice)
  try {
    yield first
    // What happened before anyone listened is read once.
    changed = true
    for (let last = first; !hasEnded(last) && !signal.aborted; ) {
      if (!changed) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      changed = false
      const now = source.get(first.id)
      if (!now) return
      if (now.updated_at !== last.updated_at || now.status !== last.status) yield now
      last = now
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', notice)
  }
}

function hasEnded({ status }: AppConversationStartTask): boolean {
  return status === 'READY' || status === 'ERROR'
}
