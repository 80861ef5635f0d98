import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { SkillInfo } from '../../../../server/api/v1/conversation/skills.ts'
import { skillsQuery } from '../../../api/queries.ts'
import { folderEntriesQuery } from '../../../api/sandbox/files.ts'
import { useClient } from '../../../api/session.ts'
import { type Completion, fileMention } from '../../../state/completion/completion.ts'
import {
  foldersAbove,
  folderToList,
  matchingActs,
  matchingCommands,
  pathsOfEntries,
} from '../../../state/completion/matching.ts'
import { nameIn, shownName } from '../../../state/files/tree.ts'
import { useOpenConversation } from '../context.ts'
import { useCondense } from '../panel/details/use-condense.ts'
import { useFoundFiles } from '../panel/files/use-found-files.ts'
import { t } from '../text.ts'
import { useFork } from '../use-fork.ts'
import { runRules } from './run-rules.ts'

/** One of the ways to complete what is being written. */
export interface Offer {
  readonly title: string
  readonly hint: string
  /** A word for the text, or what is done in place of a message. */
  readonly take: { word: string } | { act: () => void }
}

const MAX_OFFERS = 30

/** @returns null while they are looked for */
export function useOffers(completion: Completion | null): readonly Offer[] | null {
  const { id } = useOpenConversation()
  const client = useClient()
  const path = completion?.kind === 'file' ? completion.query : null
  const folder = path === null ? null : folderToList(path)
  const ofFiles = folder === null ? (path ?? '') : ''
  const files = useFoundFiles(ofFiles)
  const entries = useQuery({ ...folderEntriesQuery(client, id, folder ?? ''), enabled: folder !== null })
  const skills = useQuery({ ...skillsQuery(client, id), enabled: completion?.kind === 'command', retry: false })
  const commands = useCommands()
  if (!completion) return []
  if (folder !== null) {
    if (entries.isError) return []
    return entries.data ? pathsOfEntries(folder, entries.data.items).slice(0, MAX_OFFERS).map(fileOffer) : null
  }
  if (completion.kind === 'file') {
    if (files.isError) return []
    if (!files.data) return null
    // Until others are found, those that do not have the words are none.
    const has = (path: string) => path.toLowerCase().includes(ofFiles.toLowerCase())
    const paths = files.isPlaceholderData ? files.data.paths.filter(has) : files.data.paths
    return [...foldersAbove(paths, ofFiles), ...paths].slice(0, MAX_OFFERS).map(fileOffer)
  }
  const acts = matchingActs(commands, completion.query, skills.isPending)
  if (skills.isPending) return acts.length > 0 ? acts : null
  const all = [...(skills.data?.skills ?? []).map(skillOffer), ...acts]
  return matchingCommands(all, completion.query).slice(0, MAX_OFFERS)
}

/** @param path with a slash at its end for a folder */
function fileOffer(path: string): Offer {
  const name = path.endsWith('/') ? `${nameIn(path.slice(0, -1))}/` : nameIn(path)
  return {
    title: shownName(name),
    hint: shownName(path.slice(0, -name.length - 1)),
    take: { word: fileMention(path) },
  }
}

/** One that waits for other words is named, which the agent understands. */
function skillOffer({ name, description, triggers }: SkillInfo): Offer {
  const word = triggers.find(trigger => trigger.startsWith('/')) ?? `/${name}`
  return { title: word, hint: description ?? name, take: { word } }
}

function useCommands(): Offer[] {
  const { info, status, pause } = useOpenConversation()
  const navigate = useNavigate()
  const fork = useFork()
  const condense = useCondense()
  const acts: { name: string; hint: string; act: () => void }[] = [
    { name: '/condense', hint: t('commandCondense'), act: () => condense.mutate() },
    { name: '/fork', hint: t('commandFork'), act: () => fork.mutate(null) },
    { name: '/new', hint: t('commandNew'), act: () => void navigate({ to: '/' }) },
    ...(runRules(status, info).working ? [{ name: '/pause', hint: t('commandPause'), act: () => pause() }] : []),
  ]
  return acts.map(({ name, hint, act }) => ({ title: name, hint, take: { act } }))
}
