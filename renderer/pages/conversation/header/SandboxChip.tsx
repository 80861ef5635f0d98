import { Boxes, GlobeLock, Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { UNREACHABLE } from '../../../../server/api/v1/sandbox/actions.ts'
import { pauseSandbox, resumeSandbox } from '../../../../server/api/v1/sandbox/sandboxes.ts'
import { PauseQuestion } from '../../../components/PauseQuestion.tsx'
import { useCommand } from '../../../components/use-command.ts'
import { STATE_WORDS, sandboxState, sandboxWord } from '../../../state/words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/overlay/Menu.tsx'
import { LastKnownDot, StateDot } from '../../../ui/StateDot.tsx'
import { useOpenConversation } from '../context.ts'
import { useShowNetwork } from '../network/show-network.ts'
import { useNetworkWords } from '../network/use-network-words.ts'
import { t } from '../text.ts'
import { useSandbox } from '../use-sandbox.ts'

/** The state of the sandbox, with pause and resume. */
export function SandboxChip() {
  const { info } = useOpenConversation()
  const { status, unreachable, pauseEndsPrograms } = useSandbox()
  const [asking, setAsking] = useState(false)
  const params = { sandbox_id: info.sandbox_id }
  const pause = useCommand(client => client.call(pauseSandbox, { params }))
  const resume = useCommand(client => client.call(resumeSandbox, { params }))
  const state = sandboxState(status)
  const word = sandboxWord(status, unreachable)
  const { shape } = STATE_WORDS[state]
  const { meaning } = STATE_WORDS[unreachable ? 'unreachable' : state]
  const away = unreachable ? UNREACHABLE : null
  const network = useNetworkWords()
  const showNetwork = useShowNetwork()
  const trigger = (
    <Button
      look="quiet"
      size="small"
      busy={pause.isPending || resume.isPending}
      aria-label={[t('sandboxWord', { word }), network.limit].filter(Boolean).join(', ')}
      title={[meaning, network.limit].filter(Boolean).join('\n')}
    >
      {unreachable ? <LastKnownDot shape={shape} /> : <StateDot state={state} silent />}
      <span className="@[900px]:inline hidden">{t('sandboxInHeader', { word })}</span>
      <Boxes size={13} aria-hidden className="@[900px]:hidden" />
      {network.limit !== null && <GlobeLock size={13} aria-hidden />}
    </Button>
  )
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem
          icon={<Pause size={13} aria-hidden />}
          disabledReason={away ?? (status === 'RUNNING' ? null : t('sandboxIsWord', { word }))}
          onSelect={() => (pauseEndsPrograms ? setAsking(true) : pause.mutate())}
        >
          {t('pauseSandbox')}
        </MenuItem>
        <MenuItem
          icon={<Play size={13} aria-hidden />}
          disabledReason={away ?? (status === 'PAUSED' ? null : t('sandboxIsWord', { word }))}
          onSelect={() => resume.mutate()}
        >
          {t('resumeSandbox')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<GlobeLock size={13} aria-hidden />} onSelect={showNetwork}>
          {network.menu}
        </MenuItem>
      </Menu>
      <PauseQuestion
        open={asking}
        onOpenChange={setAsking}
        onConfirm={() => {
          setAsking(false)
          pause.mutate()
        }}
      />
    </>
  )
}
