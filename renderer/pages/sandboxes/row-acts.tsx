import { Package, Pause, Play, ScrollText, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { refusalReason, UNREACHABLE } from '../../../server/api/v1/sandbox/actions.ts'
import type { SandboxInfo } from '../../../server/api/v1/sandbox/sandboxes.ts'
import type { useSandboxAct } from '../../api/sandboxes.ts'
import { t } from './text.ts'

/** What is asked, or shown, before or instead of doing something at once. */
export type RowQuestion = 'pause' | 'log' | 'save' | 'delete'

/** Something that can be done with a sandbox, as a button of its row and an item of its menu. */
export interface RowAct {
  name: 'toggle' | 'log' | 'save' | 'delete'
  label: string
  icon: ReactNode
  isGoing: boolean
  /** Why it cannot be done now; null where it can. */
  disabledReason: string | null
  run: () => void
}

interface RowActsOptions {
  sandbox: SandboxInfo
  act: Pick<ReturnType<typeof useSandboxAct>, 'isPending' | 'variables' | 'mutate'>
  onAsk: (question: RowQuestion) => void
}

export function rowActs({ sandbox, act, onAsk }: RowActsOptions): RowAct[] {
  const { status, unreachable, pause_ends_programs } = sandbox
  const why = (asked: 'pause' | 'resume' | 'save' | 'delete') =>
    unreachable ? UNREACHABLE : (refusalReason(asked, status) ?? null)
  const going = act.isPending ? act.variables : null
  const toggle = status === 'PAUSED' ? 'resume' : 'pause'
  return [
    {
      name: 'toggle',
      label: toggle === 'resume' ? t('resume') : t('pause'),
      icon: toggle === 'resume' ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />,
      isGoing: going === toggle,
      disabledReason: why(toggle),
      run: () => (toggle === 'pause' && pause_ends_programs ? onAsk('pause') : act.mutate(toggle)),
    },
    {
      name: 'log',
      label: t('showLog'),
      icon: <ScrollText size={14} aria-hidden />,
      isGoing: false,
      disabledReason: unreachable ? UNREACHABLE : null,
      run: () => onAsk('log'),
    },
    {
      name: 'save',
      label: t('saveAsSpec'),
      icon: <Package size={14} aria-hidden />,
      isGoing: false,
      disabledReason: why('save'),
      run: () => onAsk('save'),
    },
    {
      name: 'delete',
      label: t('delete'),
      icon: <Trash2 size={14} aria-hidden />,
      isGoing: going === 'delete',
      disabledReason: why('delete'),
      run: () => onAsk('delete'),
    },
  ]
}
