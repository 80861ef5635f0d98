import { Pencil, Trash2 } from 'lucide-react'
import type { LlmProfile } from '../../../../server/api/v1/settings/llm-profiles.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { t } from './text.ts'

export interface ProfileRowProps {
  profile: LlmProfile
  /** It is the model of the settings. */
  active: boolean
  busy: boolean
  disabledReason: string | null
  onUse: () => void
  onRename: () => void
  onDelete: () => void
}

/** One saved model: what it is, whether it has a key, and what can be done with it. */
export function ProfileRow({ profile, active, busy, disabledReason, onUse, onRename, onDelete }: ProfileRowProps) {
  const { name, model, base_url, api_key_set } = profile
  const where = base_url ? t('modelAtBaseUrl', { model, baseUrl: base_url }) : model
  return (
    <li className="flex items-center gap-2 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <span className="min-w-0 flex-1">
        <span className="block truncate">{name}</span>
        <span className="block truncate font-mono text-sm text-faint" title={where}>
          {where}
        </span>
      </span>
      <Badge>{api_key_set ? t('keySet') : t('noKey')}</Badge>
      {active ? (
        <Badge tone="good">{t('inUse')}</Badge>
      ) : (
        <Button
          size="small"
          aria-label={t('useName', { name })}
          busy={busy}
          disabledReason={disabledReason}
          onClick={onUse}
        >
          {t('use')}
        </Button>
      )}
      <IconButton
        size="small"
        label={t('renameName', { name })}
        icon={<Pencil size={13} aria-hidden />}
        onClick={onRename}
      />
      <IconButton
        size="small"
        label={t('deleteName', { name })}
        icon={<Trash2 size={13} aria-hidden />}
        onClick={onDelete}
      />
    </li>
  )
}
