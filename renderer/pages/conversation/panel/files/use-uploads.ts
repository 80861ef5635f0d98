import { useEffect, useRef, useState } from 'react'
import { uploadFile } from '../../../../api/sandbox/files.ts'
import { useSession } from '../../../../api/session.ts'
import { joined } from '../../../../state/files/tree.ts'
import { type Dropped, type Found, filesIn } from '../../../../state/files/upload/dropped.ts'
import {
  type Choice,
  type Decision,
  type Failure,
  sendAll,
  type UploadProgress,
} from '../../../../state/files/upload/send-all.ts'
import { sizeRefusal } from '../../../../state/files/upload/size.ts'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

/** So many take minutes, and are seldom meant. */
const MANY_FILES = 1_000

/** How far it is, or what it waits for. */
export type UploadState =
  | { kind: 'reading'; files: number }
  | { kind: 'asking'; files: number; bytes: number; answer: (goesOn: boolean) => void }
  | { kind: 'sending'; progress: UploadProgress }
  | { kind: 'failed'; folder: string; uploaded: number; failures: readonly Failure[] }

export interface Uploads {
  readonly state: UploadState | null
  /** A file that is there already, about which a person is asked. */
  readonly question: { path: string; answer: (choice: Choice, forAll: boolean) => void } | null
  begin(folder: string, files: readonly Dropped[]): void
  /** Of entries as a drop has them, with the files of folders. */
  beginWith(folder: string, entries: readonly FileSystemEntry[]): void
  /** Those that failed, once more. */
  again(): void
  stop(): void
  /** Takes away what is said of those that failed. */
  close(): void
}

/** @param onDone is given the paths of what is in the folder now */
export function useUploads(onDone: (paths: readonly string[]) => void): Uploads {
  const { id } = useOpenConversation()
  const session = useSession()
  const [state, setState] = useState<UploadState | null>(null)
  const [question, setQuestion] = useState<Uploads['question']>(null)
  const stopping = useRef<AbortController | null>(null)
  // An upload goes on while another tab shows, which says what became of it.
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])

  function askAbout(path: string, signal: AbortSignal): Promise<Decision> {
    return until<Decision>(signal, resolve =>
      setQuestion({ path, answer: (choice, forAll) => resolve({ choice, forAll }) }),
    ).finally(() => setQuestion(null))
  }

  async function send(folder: string, { path, file }: Dropped, rest: Pick<Sent, 'existing' | 'signal' | 'onProgress'>) {
    const refusal = sizeRefusal(file)
    if (refusal) throw new Error(refusal)
    return uploadFile(session, { id, path: joined(folder, path), file, ...rest })
  }

  async function run(folder: string, find: (signal: AbortSignal) => Promise<Found>) {
    if (stopping.current) return notifyError(new Error(t('uploadRunning')))
    const controller = new AbortController()
    stopping.current = controller
    const { signal } = controller
    let paths: readonly string[] = []
    try {
      const { files, unreadable } = await find(signal)
      const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
      const goesOn =
        files.length < MANY_FILES ||
        (await until<boolean>(signal, answer => setState({ kind: 'asking', files: files.length, bytes, answer })))
      if (!goesOn) controller.abort()
      signal.throwIfAborted()
      const outcome = await sendAll(folder, files, {
        signal,
        ask: path => askAbout(path, signal),
        send: (file, existing, onProgress) => send(folder, file, { existing, signal, onProgress }),
        onProgress: progress => setState({ kind: 'sending', progress }),
      })
      paths = outcome.paths
      const { uploaded } = outcome
      const lost = unreadable.map(path => ({ path, file: null, reason: new Error(t('unreadable')) }))
      const failures = [...outcome.failures, ...lost]
      setState(failures.length > 0 ? { kind: 'failed', folder, uploaded, failures } : null)
      if (failures.length === 0) notifyDone(t('uploaded', { count: uploaded }))
      else if (!isShown.current) notifyError(new Error(t('uploadFailed', { failed: failures.length, uploaded })))
    } catch (error) {
      setState(null)
      if (signal.aborted) notifyDone(t('uploadStopped'))
      else notifyError(error)
    }
    stopping.current = null
    onDone(paths)
  }
  const begin = (folder: string, files: readonly Dropped[]) => {
    if (files.length > 0) void run(folder, async () => ({ files: [...files], unreadable: [] }))
  }
  return {
    state,
    question,
    begin,
    beginWith: (folder, entries) => {
      if (entries.length === 0) return
      void run(folder, signal => filesIn(entries, { signal, onFound: files => setState({ kind: 'reading', files }) }))
    },
    again: () => {
      if (state?.kind !== 'failed') return
      begin(
        state.folder,
        state.failures.flatMap(({ path, file }) => (file ? [{ path, file }] : [])),
      )
    },
    stop: () => stopping.current?.abort(),
    close: () => setState(null),
  }
}

type Sent = Parameters<typeof uploadFile>[1]

/** What a person answers, unless the signal comes first. */
function until<T>(signal: AbortSignal, ask: (answer: (value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    ask(resolve)
  })
}
