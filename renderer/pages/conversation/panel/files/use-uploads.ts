import { useRef, useState } from 'react'
import { ApiError } from '../../../../../server/client/api-error.ts'
import { type Existing, uploadFile } from '../../../../api/sandbox/files.ts'
import { useSession } from '../../../../api/session.ts'
import { joined } from '../../../../state/files/tree.ts'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

/** A file with its path below the folder that it is put into. */
export interface Dropped {
  path: string
  file: File
}

type Choice = 'replace' | 'keep_both' | 'skip'

interface Decision {
  choice: Choice
  forAll: boolean
}

interface Progress {
  done: number
  total: number
  bytes: number
  allBytes: number
}

export interface Uploads {
  readonly progress: Progress | null
  /** A file that is there already, about which a person is asked. */
  readonly question: { path: string; answer: (choice: Choice, forAll: boolean) => void } | null
  begin(folder: string, files: readonly Dropped[]): void
  stop(): void
}

/** One file after the other: each is streamed, and a question about one holds up the rest. */
export function useUploads(onDone: () => void): Uploads {
  const { id } = useOpenConversation()
  const session = useSession()
  const [progress, setProgress] = useState<Progress | null>(null)
  const [question, setQuestion] = useState<Uploads['question']>(null)
  const stopping = useRef<AbortController | null>(null)

  function askAbout(path: string, signal: AbortSignal): Promise<Decision> {
    return new Promise<Decision>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      setQuestion({ path, answer: (choice, forAll) => resolve({ choice, forAll }) })
    }).finally(() => setQuestion(null))
  }

  async function sendAll(folder: string, files: readonly Dropped[], signal: AbortSignal) {
    const allBytes = files.reduce((sum, { file }) => sum + file.size, 0)
    let always: Choice | null = null
    let before = 0
    let count = 0
    for (const [done, { path, file }] of files.entries()) {
      const target = joined(folder, path)
      const onProgress = (sent: number) => setProgress({ done, total: files.length, bytes: before + sent, allBytes })
      onProgress(0)
      const send = (existing: Existing) => uploadFile(session, { id, path: target, existing, file, signal, onProgress })
      try {
        await send('refuse')
        count++
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
        const decided: Decision = always ? { choice: always, forAll: true } : await askAbout(target, signal)
        const { choice } = decided
        if (decided.forAll) always = choice
        if (choice !== 'skip') {
          await send(choice)
          count++
        }
      }
      before += file.size
    }
    return count
  }

  async function run(folder: string, files: readonly Dropped[]) {
    const controller = new AbortController()
    stopping.current = controller
    try {
      notifyDone(t('uploaded', { count: await sendAll(folder, files, controller.signal) }))
    } catch (error) {
      if (controller.signal.aborted) notifyDone(t('uploadStopped'))
      else notifyError(error)
    }
    stopping.current = null
    setProgress(null)
    onDone()
  }
  return {
    progress,
    question,
    begin: (folder, files) => {
      if (files.length > 0 && !stopping.current) void run(folder, files)
    },
    stop: () => stopping.current?.abort(),
  }
}

const MAX_FILES = 5_000

/** The files that were dropped, with those in folders. The entries are there only as long as the event is. */
export async function droppedFiles({ items }: DataTransfer): Promise<Dropped[]> {
  const found: Dropped[] = []
  const entries = [...items].map(item => item.webkitGetAsEntry()).filter(entry => entry !== null)
  for (const entry of entries) await collect(entry, found)
  return found
}

async function collect(entry: FileSystemEntry, found: Dropped[]): Promise<void> {
  if (found.length >= MAX_FILES) return
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    found.push({ path: entry.fullPath.replace(/^\//, ''), file })
  } else if (entry.isDirectory) {
    const reader = (entry as FileSystemDirectoryEntry).createReader()
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (some.length === 0) return
      for (const each of some) await collect(each, found)
    }
  }
}
