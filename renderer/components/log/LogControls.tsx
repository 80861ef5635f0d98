import { CopyButton } from '../../ui/CopyButton.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { Switch } from '../../ui/field/Switch.tsx'
import { t } from './text.ts'

interface LogControlsProps {
  filter: string
  onFilter: (text: string) => void
  follows: boolean
  onFollows: (follows: boolean) => void
  /** The lines that are shown. */
  shownText: () => string
}

/** What a log is looked through with: a filter, whether it follows what is new, and its lines to copy. */
export function LogControls({ filter, onFilter, follows, onFollows, shownText }: LogControlsProps) {
  return (
    <>
      <Input
        type="search"
        aria-label={t('filterLog')}
        placeholder={t('filterLog')}
        value={filter}
        onValueChange={onFilter}
        className="w-56 max-narrow:w-full"
      />
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch in it is its control */}
      <label className="flex items-center gap-2">
        <Switch checked={follows} onCheckedChange={onFollows} />
        {t('follow')}
      </label>
      <CopyButton label={t('copyLines')} text={async () => shownText()} />
    </>
  )
}
