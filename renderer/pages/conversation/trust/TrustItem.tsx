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

const TITLES: Record<RepositoryRole, string> = {
  setup_script: 'Set-up script',
  pre_commit: 'Git hook',
  sub_agent: 'Sub-agent',
  tool_server: 'Tool server',
  skill: 'Skill with commands',
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
        {item.trusted ? <Badge tone="good">trusted</Badge> : null}
      </p>
      <p className="text-soft text-sm">{item.problem ?? meaningOf(item)}</p>
      {open ? (
        item.files.map(file => <File key={file.path} file={file} title={file === first ? null : file.path} />)
      ) : (
        <pre className="overflow-hidden rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm leading-[18px] [overflow-wrap:anywhere] whitespace-pre-wrap">
          <SecretText text={lines.slice(0, FIRST_LINES).join('\n') || 'This file is not text.'} />
        </pre>
      )}
      {hidden ? (
        <Button size="small" look="quiet" className="self-start" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show ${hidden}`}
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
          Binary or large file, {formatBytes(size_bytes)}. SHA-256 {sha256}
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
      return secrets.length === 0
        ? 'Runs when a conversation starts. It uses none of your secrets.'
        : 'Runs when a conversation starts. With your trust it gets the secrets named here.'
    case 'pre_commit':
      return 'Runs on every commit that the agent makes, with the secrets that the agent’s command uses.'
    case 'tool_server':
      return 'Starts with the agent. You set it up with the secrets named here, and it runs files of this repository.'
    case 'skill':
      return 'The agent can read it. With your trust the commands in its text, written as !`command`, run in the sandbox when it does, without your secrets.'
    case 'sub_agent':
      return 'The agent can give it tasks. With your trust its commands get the secrets that they use.'
  }
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** What is not seen before it is unfolded; null for nothing. */
function hiddenPart(lines: number, others: number): string | null {
  const more = others > 0 ? amount(others, 'more file') : null
  if (lines <= FIRST_LINES) return more
  return more ? `all ${lines} lines and ${more}` : `all ${lines} lines`
}
