import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { SecretInfo } from '../../../../server/api/v1/settings/secrets.ts'
import { secretsQuery } from '../../../api/queries.ts'
import { useDeleteSecret } from '../../../api/secrets.ts'
import { useClient } from '../../../api/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { RemoveDialog } from '../form/RemoveDialog.tsx'
import { LoadingRows, Row, RowList } from '../form/RowList.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { EditSecret, NewSecret } from './SecretDialog.tsx'
import { t } from './text.ts'

export function SecretsSection() {
  return (
    <>
      <p className="text-soft">
        {t.rich('aboutSecrets', { code: chunks => <code className="font-mono text-sm">{chunks}</code> })}
      </p>
      <SettingAnchor name="custom_secrets">
        <Secrets />
      </SettingAnchor>
    </>
  )
}

type Open = { kind: 'none' } | { kind: 'new' } | { kind: 'edit' | 'delete'; secret: SecretInfo }

/** Kept at once, not with the other settings. */
function Secrets() {
  const { data: secrets, error, refetch, isFetching } = useQuery(secretsQuery(useClient()))
  const [open, setOpen] = useState<Open>({ kind: 'none' })
  const close = () => setOpen({ kind: 'none' })
  if (error && !secrets) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!secrets) return <LoadingRows label={t('loadingSecrets')} action />
  return (
    <div className="flex flex-col gap-3">
      <Button className="self-start" icon={<Plus size={14} aria-hidden />} onClick={() => setOpen({ kind: 'new' })}>
        {t('addSecret')}
      </Button>
      <RowList label={t('secrets')} empty={secrets.length === 0 ? t('noSecretsYet') : null}>
        {secrets.map(secret => (
          <Row
            key={secret.name}
            title={secret.name}
            detail={secret.description}
            mono
            onEdit={() => setOpen({ kind: 'edit', secret })}
            onRemove={() => setOpen({ kind: 'delete', secret })}
          />
        ))}
      </RowList>
      {open.kind === 'new' ? <NewSecret names={secrets.map(({ name }) => name)} onClose={close} /> : null}
      {open.kind === 'edit' ? <EditSecret secret={open.secret} onClose={close} /> : null}
      {open.kind === 'delete' ? <DeleteSecret name={open.secret.name} onClose={close} /> : null}
    </div>
  )
}

function DeleteSecret({ name, onClose }: { name: string; onClose: () => void }) {
  return (
    <RemoveDialog
      title={t('deleteSecret')}
      confirm={t('delete')}
      removal={useDeleteSecret()}
      id={name}
      done={t('nameIsDeleted', { name })}
      onClose={onClose}
    >
      {t.rich('secretIsRemoved', {
        name,
        mono: chunks => <span className="font-mono text-sm wrap-anywhere">{chunks}</span>,
      })}
    </RemoveDialog>
  )
}
