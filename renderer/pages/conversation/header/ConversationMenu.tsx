import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Columns2,
  Copy,
  CopyPlus,
  Ellipsis,
  FileArchive,
  FileDiff,
  GitBranch,
  GitFork,
  Split,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { downloadConversation } from '../../../../server/api/v1/conversation/workspace.ts'
import { downloadBundle, downloadPatch } from '../../../../server/api/v1/git/commits.ts'
import { conversationQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { DeleteConversation } from '../../../components/DeleteConversation.tsx'
import { OpenInWindow } from '../../../components/OpenInWindow.tsx'
import { useCommand } from '../../../components/use-command.ts'
import { saveFile } from '../../../state/save-file.ts'
import { IconButton } from '../../../ui/Button.tsx'
import { copyText } from '../../../ui/overlay/copy-text.ts'
import { Menu, MenuHint, MenuItem, MenuSeparator } from '../../../ui/overlay/Menu.tsx'
import { useOpenConversation } from '../context.ts'
import { t } from '../text.ts'
import { useFork, useForkInOwnSandbox } from '../use-fork.ts'
import { ModelMenu } from './ModelMenu.tsx'

const WORK = { patch: downloadPatch, bundle: downloadBundle }

export function ConversationMenu() {
  const { id, info, ask } = useOpenConversation()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const fork = useFork()
  const forkInOwnSandbox = useForkInOwnSandbox()
  const save = useCommand(async client => {
    saveFile(await client.download(downloadConversation, { params: { conversation_id: id } }), `conversation-${id}.zip`)
  })
  const saveWork = useCommand(async (client, kind: keyof typeof WORK) => {
    saveFile(await client.download(WORK[kind], { params: { conversation_id: id } }), `conversation-${id}.${kind}`)
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={t('more')}
            icon={<Ellipsis size={15} aria-hidden />}
            busy={save.isPending || saveWork.isPending}
          />
        }
      >
        <ModelMenu />
        {window.atelier?.isConversationWindow ? null : <OpenInWindow id={id} />}
        <MenuItem icon={<GitFork size={13} aria-hidden />} onSelect={() => fork.mutate(null)}>
          {t('fork')}
          <MenuHint>{t('copyOfAll')}</MenuHint>
        </MenuItem>
        <MenuItem icon={<CopyPlus size={13} aria-hidden />} onSelect={() => forkInOwnSandbox(null)}>
          {t('forkInOwnSandbox')}
          <MenuHint>{t('copyWithFiles')}</MenuHint>
        </MenuItem>
        <MenuItem icon={<Split size={13} aria-hidden />} onSelect={() => ask({ attemptsFrom: null })}>
          {t('trySeveralTimes')}
          <MenuHint>{t('severalAttempts')}</MenuHint>
        </MenuItem>
        <CompareWithOriginal />
        <MenuItem icon={<FileArchive size={13} aria-hidden />} onSelect={() => save.mutate()}>
          {t('exportLog')}
          <MenuHint>{t('allEvents')}</MenuHint>
        </MenuItem>
        <MenuItem icon={<FileDiff size={13} aria-hidden />} onSelect={() => saveWork.mutate('patch')}>
          {t('savePatch')}
          <MenuHint>{t('whatPatchIs')}</MenuHint>
        </MenuItem>
        <MenuItem icon={<GitBranch size={13} aria-hidden />} onSelect={() => saveWork.mutate('bundle')}>
          {t('saveBundle')}
          <MenuHint>{t('whatBundleIs')}</MenuHint>
        </MenuItem>
        <MenuItem icon={<Copy size={13} aria-hidden />} onSelect={() => void copyText(id, t('idIsCopied'))}>
          {t('copyId')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 size={13} aria-hidden />} onSelect={() => setAsking(true)}>
          {t('deleteConversation')}
        </MenuItem>
      </Menu>
      <DeleteConversation
        conversation={info}
        open={asking}
        onOpenChange={setAsking}
        onDeleted={() => void navigate({ to: '/' })}
      />
    </>
  )
}

/** Of a fork. Its original is known to be gone only once it was asked for. */
function CompareWithOriginal() {
  const { id, info, ask } = useOpenConversation()
  const origin = info.forked_from_conversation_id
  const { data } = useQuery({ ...conversationQuery(useClient(), origin ?? ''), enabled: origin !== null })
  if (origin === null) return null
  return (
    <MenuItem
      icon={<Columns2 size={13} aria-hidden />}
      onSelect={() => ask({ compare: [origin, id] })}
      disabledReason={data === null ? t('originalIsDeleted') : null}
    >
      {t('compareWithOriginal')}
      {data === null ? null : <MenuHint>{t('whatComparingIs')}</MenuHint>}
    </MenuItem>
  )
}
