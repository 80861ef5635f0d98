import { useState } from 'react'
import type { RepositoryFile, RepositoryItem, RepositoryRole } from '../../../../server/api/repository-trust.ts'
import { formatBytes } from '../../../state/format.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { SecretText } from '../../../ui/SecretText.tsx'
import { TextBlock } from '../timeline/TextBlock.tsx'

const TITLES: Record<RepositoryRole, string> = {
  setup_script: 'Set-up script',
  pre_commit: 'Git hook',
  sub_agent: 'Sub-agent',
  tool_server: 'Tool server',
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
  const isLong = lines.length > FIRST_LINES || item.files.length > 1
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
        item.files.map(file => <File key={file.path} file={file} />)
      ) : (
        <pre className="overflow-hidden rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm leading-[18px] [overflow-wrap:anywhere] whitespace-pre-wrap">
          <SecretText text={lines.slice(0, FIRST_LINES).join('\n') || 'It holds no text that could be shown.'} />
        </pre>
      )}
      {isLong ? (
        <Button size="small" look="quiet" className="self-start" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Show less' : `Show all of it (${amount(lines.length, 'line')}${others(item.files.length - 1)})`}
        </Button>
      ) : null}
    </li>
  )
}

function File({ file: { path, text, size_bytes, sha256 } }: { file: RepositoryFile }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="font-mono text-faint text-sm [overflow-wrap:anywhere]">
        <SecretText text={path} />
      </p>
      {text === null ? (
        <p className="text-soft text-sm [overflow-wrap:anywhere]">
          {formatBytes(size_bytes)} that are no text to show. SHA-256 {sha256}
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
        ? 'Runs when a conversation starts. It names none of your secrets.'
        : 'Runs when a conversation starts. It names these secrets, and would get them.'
    case 'pre_commit':
      return 'Runs with each commit of the agent, and so with the secrets that the agent’s command names.'
    case 'tool_server':
      return 'Is started with each run of the agent. It carries these secrets, and would run these files with them.'
    case 'sub_agent':
      return 'Can be given tasks by the agent. Its commands would get the secrets that they name.'
  }
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function others(count: number): string {
  return count > 0 ? `, and ${amount(count, 'file')} that it names` : ''
}
