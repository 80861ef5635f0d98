import {
  FileDiff,
  FileText,
  Heading,
  Lightbulb,
  type LucideIcon,
  MessageSquare,
  SquareTerminal,
  TextQuote,
} from 'lucide-react'
import { SEARCH_KINDS, type SearchKind } from '../../../server/api/search-kinds.ts'
import { t } from './text.ts'

/** All that stands in a log. */
export const EVENT_KINDS: readonly SearchKind[] = SEARCH_KINDS.filter(kind => kind !== 'title')

export const KIND_ICONS: Record<SearchKind, LucideIcon> = {
  title: Heading,
  message: MessageSquare,
  thought: Lightbulb,
  command: SquareTerminal,
  output: TextQuote,
  file: FileText,
  change: FileDiff,
}

export const KIND_WORDS: Record<SearchKind, string> = {
  title: t('title'),
  message: t('message'),
  thought: t('thought'),
  command: t('command'),
  output: t('output'),
  file: t('file'),
  change: t('change'),
}

/** What the search page filters by, in its order. */
export const KIND_FILTERS = ['messages', 'commands', 'outputs', 'files', 'titles'] as const
export type KindFilter = (typeof KIND_FILTERS)[number]

export const KINDS_OF_FILTER: Record<KindFilter, readonly SearchKind[]> = {
  messages: ['message', 'thought'],
  commands: ['command'],
  outputs: ['output'],
  files: ['file', 'change'],
  titles: ['title'],
}

export const FILTER_WORDS: Record<KindFilter, string> = {
  messages: t('messages'),
  commands: t('commands'),
  outputs: t('outputs'),
  files: t('filesAndChanges'),
  titles: t('titles'),
}

/** What is looked for, as the address has it. */
export interface AskedFilters {
  text: string
  kind?: KindFilter | undefined
  repository?: string | undefined
  folder?: string | undefined
  days?: number | undefined
}
