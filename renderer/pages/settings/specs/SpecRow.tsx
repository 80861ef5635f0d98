import { Copy, Ellipsis, Pencil, Star, Trash2 } from 'lucide-react'
import type { SandboxSpecInfo } from '../../../../server/api/v1/sandbox/specs.ts'
import { specWords } from '../../../state/settings/spec-draft.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/overlay/Menu.tsx'

export interface SpecRowProps {
  spec: SandboxSpecInfo
  busy: boolean
  onEdit: () => void
  onCopy: () => void
  onRemove: () => void
  onMakeDefault: () => void
}

const BUILT_IN = 'It comes with Atelier or from the image above. Copy it to change it.'

export function SpecRow({ spec, busy, onEdit, onCopy, onRemove, onMakeDefault }: SpecRowProps) {
  const { title, image, image_present, is_default, built_in } = spec
  const words = specWords(spec)
  const fixed = built_in ? BUILT_IN : null
  return (
    <li className="flex items-center gap-2 border-line border-b py-2 pr-2 pl-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{title}</span>
        <span className="block truncate font-mono text-faint text-sm" title={image}>
          {image}
        </span>
        {words && <span className="block text-faint text-sm">{words}</span>}
      </span>
      {is_default && <Badge tone="accent">Default</Badge>}
      {image_present === false && <Badge>Fetched at first start</Badge>}
      {image_present && <Badge tone="good">On this machine</Badge>}
      <Menu
        trigger={
          <IconButton size="small" label={`More for ${title}`} icon={<Ellipsis size={14} aria-hidden />} busy={busy} />
        }
      >
        <MenuItem
          icon={<Star size={13} aria-hidden />}
          disabledReason={is_default ? 'It is the default.' : null}
          onSelect={onMakeDefault}
        >
          Make it the default
        </MenuItem>
        <MenuItem icon={<Pencil size={13} aria-hidden />} disabledReason={fixed} onSelect={onEdit}>
          Edit …
        </MenuItem>
        <MenuItem icon={<Copy size={13} aria-hidden />} onSelect={onCopy}>
          Copy …
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={13} aria-hidden />} disabledReason={fixed} onSelect={onRemove}>
          Remove …
        </MenuItem>
      </Menu>
    </li>
  )
}
