import { useState } from 'react'
import type {
  RepositoryFile,
  RepositoryItem,
  RepositoryRole,
} from '../../../../server/api/v1/conversation/repository-trust.ts'
import { formatBytes } from '../../../state/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SecretText } from '../../../ui/field/SecretText.tsx'
import { TextBlock } from '../timeline/message/TextBlock.tsx'
import { t } from './text.ts'

const TITLES: Record<RepositoryRole, string> = {
  setup_script: t('setUpScript'),
  pre_commit: t('gitHook'),
  sub_agent: t('subAgent'),
  tool_server: t('toolServer'),
  skill: t('skillWithCommands'),
  services: t('services'),
}

const FIRST_LINES = 4

interface Props {
  item: Omit<RepositoryItem, 'problem'> & { problem?: string | null; secrets: readonly string[]; trusted?: boolean }
}

/** One thing that runs: when it does, which secrets it would get, and what it is to the letter. */
export function TrustItem({ item }: Props) {
  const [open, setOpen] = useState(false)
  const [first] = item.files
  const lines = first?.text?.trimEnd().split('\n') ?? []
  const hidden = hiddenPart(lines.length, item.files.length - 1)
  return (
    <li className="flex flex-col gap-1.5 py-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{TITLES[item.role]}</span>
        <code className="min-w-0 font-mono text-sm text-soft [overflow-wrap:anywhere]">
          <SecretText text={item.path} />
        </code>
        {item.secrets.map(name => (
          <Badge key={name} tone="wait">
            {name}
          </Badge>
        ))}
        {item.trusted ? <Badge tone="good">{t('trusted')}</Badge> : null}
      </p>
      <p className="text-soft text-sm">{item.problem ?? meaningOf(item)}</p>
      {open ? (
        item.files.map(file => <File key={file.path} file={file} title={file === first ? null : file.path} />)
      ) : (
        <pre className="overflow-hidden rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm leading-[18px] [overflow-wrap:anywhere] whitespace-pre-wrap">
          <SecretText text={lines.slice(0, FIRST_LINES).join('\n') || t('thisFileIsNotText')} />
        </pre>
      )}
      {hidden ? (
        <Button size="small" look="quiet" className="self-start" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('showLess') : hidden}
        </Button>
      ) : null}
    </li>
  )
}

/** `title` is null for the file that the item itself names. */
function File({ file: { path, text, size_bytes, sha256 }, title }: { file: RepositoryFile; title: string | null }) {
  return (
    <div className="flex flex-col gap-1">
      {title === null ? null : (
        <p className="font-mono text-faint text-sm [overflow-wrap:anywhere]">
          <SecretText text={title} />
        </p>
      )}
      {text === null ? (
        <p className="text-soft text-sm [overflow-wrap:anywhere]">
          {t('binaryFile', { size: formatBytes(size_bytes), sha256 })}
        </p>
      ) : (
        <TextBlock text={text} label={path} />
      )}
    </div>
  )
}

function meaningOf({ role, secrets }: Pick<Props['item'], 'role' | 'secrets'>): string {
  switch (role) {
    case 'setup_script':
      return secrets.length === 0 ? t('runsAtStartWithoutSecrets') : t('runsAtStartWithSecrets')
    case 'pre_commit':
      return t('runsOnEveryCommit')
    case 'tool_server':
      return t('startsWithAgent')
    case 'skill':
      return t('agentCanReadSkill')
    case 'services':
      return t('startWithConversation')
    case 'sub_agent':
      return t('agentCanGiveItTasks')
  }
}

/** What is not seen before it is unfolded; null for nothing. */
function hiddenPart(lines: number, others: number): string | null {
  if (lines <= FIRST_LINES) return others > 0 ? t('showFiles', { files: others }) : null
  return others > 0 ? t('showLinesAndFiles', { lines, files: others }) : t('showLines', { lines })
}
