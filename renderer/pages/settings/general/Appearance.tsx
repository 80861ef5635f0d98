import { TEXT_SIZES, type TextSize, THEMES, type Theme, useAppearance } from '../../../state/settings/appearance.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { SETTING_ENTRIES } from '../form/entries.ts'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

const THEME_NAMES: Record<Theme, string> = { system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') }
const SIZE_NAMES: Record<TextSize, string> = {
  small: t('textSmall'),
  usual: t('textUsual'),
  large: t('textLarge'),
  larger: t('textLarger'),
}
const SIZES = Object.keys(TEXT_SIZES) as TextSize[]

/** How this window looks. Kept at once, for this window alone. */
export function Appearance() {
  const { theme, setTheme, textSize, setTextSize } = useAppearance()
  return (
    <>
      <SettingAnchor name="theme">
        <Field label={SETTING_ENTRIES.theme.label} hint={SETTING_ENTRIES.theme.hint}>
          <Select
            value={theme}
            options={THEMES.map(value => ({ value, label: THEME_NAMES[value] }))}
            onValueChange={setTheme}
            className="max-w-60"
          />
        </Field>
      </SettingAnchor>
      <SettingAnchor name="text_size">
        <Field label={SETTING_ENTRIES.text_size.label} hint={SETTING_ENTRIES.text_size.hint}>
          <Select
            value={textSize}
            options={SIZES.map(value => ({ value, label: SIZE_NAMES[value] }))}
            onValueChange={setTextSize}
            className="max-w-60"
          />
        </Field>
      </SettingAnchor>
    </>
  )
}
