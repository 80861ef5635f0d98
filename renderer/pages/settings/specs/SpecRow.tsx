import { Copy, Ellipsis, Pencil, Star, Trash2 } from 'lucide-react'
import type { SandboxSpecInfo } from '../../../../server/api/v1/sandbox/specs.ts'
import { specWords } from '../../../state/settings/spec-draft.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/overlay/Menu.tsx'
import { t } from './text.ts'

export interface SpecRowProps {
  spec: SandboxSpecInfo
  busy: boolean
  onEdit: () => void
  onCopy: () => void
  onRemove: () => void
  onMakeDefault: () => void
}

const BUILT_IN = t('itComesWithAtelier')

export function SpecRow({ spec, busy, onEdit, onCopy, onRemove, onMakeDefault }: SpecRowProps) {
  const { title, image, image_present, is_default, built_in } = spec
  const words = specWords(spec)
  const fixed = built_in ? BUILT_IN : null
  return (
    <li className="flex items-center gap-2 border-line border-b py-2 pe-2 ps-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{title}</span>
        <span className="block truncate font-mono text-faint text-sm" title={image}>
          {image}
        </span>
        {words && <span className="block text-faint text-sm">{words}</span>}
      </span>
      {is_default && <Badge tone="accent">{t('default')}</Badge>}
      {image_present === false && <Badge>{t('fetchedAtFirstStart')}</Badge>}
      {image_present && <Badge tone="good">{t('onThisMachine')}</Badge>}
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
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={13} aria-hidden />} disabledReason={fixed} onSelect={onRemove}>
          {t('removeSpec')}
        </MenuItem>
      </Menu>
    </li>
  )
}
