import { useState } from 'react'
import type { SettingsReply } from '../../../server/api/v1/settings/settings.ts'
import { useSaveSettings } from '../../api/settings.ts'
import { LocalModels } from '../../components/model/LocalModels.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { CheckRow } from './CheckRow.tsx'
import { ProviderForm } from './ProviderForm.tsx'
import { t } from './text.ts'

export function ModelRow({ settings }: { settings: SettingsReply | null }) {
  const [changing, setChanging] = useState(false)
  const save = useSaveSettings()
  const model = settings?.llm_model ?? null
  if (model && !changing) {
    return (
      <CheckRow title={t('model')} state="ok" detail={model}>
        <Button className="self-start" onClick={() => setChanging(true)}>
          {t('change')}
        </Button>
      </CheckRow>
    )
  }
  const done = () => setChanging(false)
  return (
    <CheckRow title={t('model')} state="open" detail={t('modelOnThisMachine')}>
      <LocalModels
        chosen={model}
        onChoose={choice => save.mutate({ llm_model: choice.model, llm_base_url: choice.baseUrl }, { onSuccess: done })}
      />
      {save.error ? <ErrorNotice error={save.error} /> : null}
      <h3 className="font-medium">{t('orProvider')}</h3>
      <ProviderForm keyIsSet={settings ? settings.llm_api_key_set : false} onSaved={done} />
    </CheckRow>
  )
}
