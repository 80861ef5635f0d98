import type { ReactNode } from 'react'
import type { PublishCall } from '../../../../../server/api/event/publish.ts'
import { SecretText } from '../../../../ui/field/SecretText.tsx'
import { TextBlock } from '../message/TextBlock.tsx'
import { t } from '../text.ts'

/** What would be published, and where: what a person says yes to. */
export function PublishBody({ call: { plan, request } }: { call: PublishCall }) {
  const { branch, url, commit, commits, uncommitted, default_branch } = plan
  const base = request?.base ?? default_branch
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-sm">
        <Fact name={t('publishRepository')}>
          <Code text={url} />
        </Fact>
        <Fact name={t('publishBranch')}>
          <Code text={branch} />
          {branch === default_branch && <span className="ms-2 text-wait">{t('publishDefaultBranch')}</span>}
        </Fact>
        {request && (
          <Fact name={t('publishBase')}>{base === null ? t('publishBaseDefault') : <Code text={base} />}</Fact>
        )}
        <Fact name={t('publishCommits')}>{t('publishCommitCount', { count: commits, last: commit.slice(0, 12) })}</Fact>
        {uncommitted > 0 && <Fact name={t('publishStays')}>{t('publishUncommitted', { count: uncommitted })}</Fact>}
      </dl>
      {request && (
        <>
          <p className="font-medium [overflow-wrap:anywhere]">
            <SecretText text={request.title} />
            {request.draft && <span className="ms-2 font-normal text-soft">{t('publishDraft')}</span>}
          </p>
          {request.body.trim() !== '' && <TextBlock text={request.body} label={t('publishDescription')} />}
        </>
      )}
    </div>
  )
}

function Code({ text }: { text: string }) {
  return (
    <span className="font-mono">
      <SecretText text={text} />
    </span>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
