import { useQuery } from '@tanstack/react-query'
import { Copy, Ellipsis, FileOutput, Hammer, Pencil, ScrollText, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SpecBuild } from '../../../../server/api/v1/sandbox/builds.ts'
import type { SandboxSpecInfo } from '../../../../server/api/v1/sandbox/specs.ts'
import { enginesQuery } from '../../../api/sandbox/engines.ts'
import { specBuildQuery, useSpecBuildAct } from '../../../api/sandbox/spec-images.ts'
import { useClient } from '../../../api/session.ts'
import { specWords } from '../../../state/settings/spec-draft.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/overlay/Menu.tsx'
import { BuildPanel } from './BuildPanel.tsx'
import { t } from './text.ts'

export interface SpecRowProps {
  spec: SandboxSpecInfo
  busy: boolean
  onEdit: () => void
  onCopy: () => void
  onExport: () => void
  onRemove: () => void
  onMakeDefault: () => void
}

const BUILT_IN = t('itComesWithAtelier')

export function SpecRow(props: SpecRowProps) {
  const { title, image, dockerfile, engine_id, is_default, imported_from } = props.spec
  const words = specWords(props.spec)
  return (
    <li className="border-line border-b py-2 pe-2 ps-3 last:border-b-0">
      <div className="flex flex-wrap items-center justify-end gap-x-2 gap-y-1">
        <span className="min-w-40 flex-1">
          <span className="block truncate">{title}</span>
          <span className="block truncate font-mono text-faint text-sm" title={image}>
            {dockerfile === null ? image : t('dockerfile')}
          </span>
          {words && <span className="block text-faint text-sm">{words}</span>}
          {imported_from !== null && (
            <span className="block truncate text-faint text-sm">{t('importedFrom', { name: imported_from })}</span>
          )}
        </span>
        {is_default && <Badge tone="accent">{t('default')}</Badge>}
        {engine_id !== null && <EngineBadge id={engine_id} />}
        {dockerfile === null ? <Presence {...props} /> : <Built {...props} />}
      </div>
    </li>
  )
}

function EngineBadge({ id }: { id: string }) {
  const { data: engines } = useQuery(enginesQuery(useClient()))
  return <Badge>{engines?.find(engine => engine.id === id)?.name ?? id}</Badge>
}

function Presence(props: SpecRowProps) {
  const { image_present } = props.spec
  return (
    <>
      {image_present === false && <Badge>{t('fetchedAtFirstStart')}</Badge>}
      {image_present && <Badge tone="good">{t('onThisMachine')}</Badge>}
      <SpecMenu {...props} />
    </>
  )
}

const BUILD_BADGES = {
  none: <Badge>{t('builtAtFirstStart')}</Badge>,
  building: <Badge tone="wait">{t('building')}</Badge>,
  ready: <Badge tone="good">{t('built')}</Badge>,
  failed: <Badge tone="bad">{t('buildFailed')}</Badge>,
} as const satisfies Record<SpecBuild['state'], React.ReactNode>

/** Of a spec with a Dockerfile. What goes on or went wrong shows by itself; the log of a build that is over, when it is asked for. */
function Built(props: SpecRowProps) {
  const { id, title } = props.spec
  const { data: build } = useQuery(specBuildQuery(useClient(), id))
  const act = useSpecBuildAct(id)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const [begun, setBegun] = useState(false)
  const state = build?.state ?? 'none'
  const open = chosen ?? (state === 'building' || state === 'failed')
  function start() {
    setChosen(null)
    setBegun(true)
    act.mutate('build')
  }
  const isBuildable = build !== undefined && (state === 'none' || state === 'failed')
  return (
    <>
      {build && BUILD_BADGES[state]}
      {isBuildable && (
        <Button
          size="small"
          icon={<Hammer size={13} aria-hidden />}
          busy={act.isPending}
          aria-label={state === 'failed' ? t('buildTitleAgain', { title }) : t('buildTitle', { title })}
          onClick={start}
        >
          {state === 'failed' ? t('buildAgain') : t('build')}
        </Button>
      )}
      {build && build.log.length > 0 && (
        <IconButton
          size="small"
          label={t('logOfTitle', { title })}
          icon={<ScrollText size={14} aria-hidden />}
          aria-expanded={open}
          onClick={() => setChosen(!open)}
        />
      )}
      <SpecMenu {...props} />
      {(open || act.error) && (
        <BuildPanel
          title={title}
          asked={begun || chosen === true}
          build={open ? build : undefined}
          error={act.error}
          cancelling={act.isPending && act.variables === 'cancel'}
          onCancel={() => act.mutate('cancel')}
          onEdit={props.onEdit}
        />
      )}
    </>
  )
}

function SpecMenu({ spec, busy, onEdit, onCopy, onExport, onRemove, onMakeDefault }: SpecRowProps) {
  const { title, is_default, built_in } = spec
  const fixed = built_in ? BUILT_IN : null
  return (
    <Menu
      trigger={
        <IconButton
          size="small"
          label={t('moreForTitle', { title })}
          icon={<Ellipsis size={14} aria-hidden />}
          busy={busy}
        />
      }
    >
      <MenuItem
        icon={<Star size={13} aria-hidden />}
        disabledReason={is_default ? t('itIsDefault') : null}
        onSelect={onMakeDefault}
      >
        {t('makeItDefault')}
      </MenuItem>
      <MenuItem icon={<Pencil size={13} aria-hidden />} disabledReason={fixed} onSelect={onEdit}>
        {t('edit')}
      </MenuItem>
      <MenuItem icon={<Copy size={13} aria-hidden />} onSelect={onCopy}>
        {t('copy')}
      </MenuItem>
      <MenuItem icon={<FileOutput size={13} aria-hidden />} onSelect={onExport}>
        {t('exportSpec')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem danger icon={<Trash2 size={13} aria-hidden />} disabledReason={fixed} onSelect={onRemove}>
        {t('removeSpec')}
      </MenuItem>
    </Menu>
  )
}
