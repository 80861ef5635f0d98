import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Cpu } from 'lucide-react'
import { switchLlmProfileV1 } from '../../../../server/api/v1/settings/llm-profiles.ts'
import { profilesQuery, settingsQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { useCommand } from '../../../components/use-command.ts'
import { ChoiceButton } from '../../../ui/overlay/ChoiceButton.tsx'
import { Menu, MenuHint, MenuItem, MenuSeparator, SubMenu } from '../../../ui/overlay/Menu.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../context.ts'
import { t } from '../text.ts'

/** The model that the agent goes on with from its next step on. */
export function ModelMenu() {
  const { info } = useOpenConversation()
  return (
    <SubMenu
      icon={<Cpu size={13} aria-hidden className="shrink-0" />}
      label={
        <>
          {t('switchModel')}
          <MenuHint>
            <span className="block truncate">
              {info.llm_model ? t('nowModel', { model: info.llm_model }) : t('nowNone')}
            </span>
          </MenuHint>
        </>
      }
    >
      <ModelItems />
    </SubMenu>
  )
}

/** The same where a message is written. */
export function ModelButton() {
  const { info } = useOpenConversation()
  const name = info.llm_model?.slice(info.llm_model.indexOf('/') + 1)
  return (
    <Menu
      align="start"
      trigger={
        <ChoiceButton label={t('switchModel')}>
          <span dir="ltr" className="truncate font-mono">
            {name ?? t('nowNone')}
          </span>
        </ChoiceButton>
      }
    >
      <ModelItems />
    </Menu>
  )
}

/** Saved ones, and the one of the settings. */
function ModelItems() {
  const { id } = useOpenConversation()
  const client = useClient()
  const navigate = useNavigate()
  const { data: saved, error, isPending } = useQuery(profilesQuery(client))
  const { data: settings } = useQuery(settingsQuery(client))
  const change = useCommand(async (service, profile_name: string | null) => {
    const body = { profile_name }
    const { llm_model } = await service.call(switchLlmProfileV1, { params: { conversation_id: id }, body })
    notifyDone(llm_model === null ? t('modelIsSwitched') : t('nextStepWillUse', { llmModel: llm_model }))
  })
  const model = settings?.llm_model
  return (
    <>
      <MenuItem onSelect={() => change.mutate(null)} disabledReason={model ? null : t('noModelIsSetUp')}>
        {t('defaultModel')}
        {model ? <MenuHint>{model}</MenuHint> : null}
      </MenuItem>
      {saved?.profiles.map(profile => (
        <MenuItem key={profile.name} onSelect={() => change.mutate(profile.name)}>
          {profile.name}
          <MenuHint>{profile.model}</MenuHint>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void navigate({ to: '/settings/$section', params: { section: 'model' } })}>
        {t('savedModels')}
        {isPending ? <MenuHint>{t('loading')}</MenuHint> : null}
        {error ? <MenuHint>{t('savedModelsUnread', { problem: error.message })}</MenuHint> : null}
        {saved?.profiles.length === 0 ? <MenuHint>{t('noneYet')}</MenuHint> : null}
      </MenuItem>
    </>
  )
}
