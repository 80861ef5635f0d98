import { expect, test } from 'vitest'
import { type Dropped, filesIn } from '../../../../renderer/state/files/upload/dropped.ts'
import { type Existing, sendAll } from '../../../../renderer/state/files/upload/send-all.ts'
import { Uploads } from '../../../../renderer/state/files/upload/uploads.ts'
import { ApiError } from '../../../../server/client/api-error.ts'

const file = (path: string): Dropped => ({ path, file: new File(['x'], path) })
const refused = (code: string) => new ApiError({ status: 400, code, message: `It is ${code}.` })
const options = () => ({
  ask: async () => ({ choice: 'keep_both' as const, forAll: true }),
  onProgress: () => {},
  signal: new AbortController().signal,
})

/** Entries as a drop has them; `null` for what cannot be read. */
type Tree = { [name: string]: Tree | string | null }
function entriesOf(tree: Tree, above = ''): FileSystemEntry[] {
  return Object.entries(tree).map(([name, content]) => {
    const fullPath = `${above}/${name}`
    const isDirectory = typeof content === 'object' && content !== null
    const parts = isDirectory
      ? [entriesOf(content, fullPath).slice(0, 2), entriesOf(content, fullPath).slice(2), []]
      : []
    return {
      name,
      fullPath,
      isDirectory,
      isFile: !isDirectory,
      createReader: () => ({ readEntries: (done: (some: FileSystemEntry[]) => void) => done(parts.shift() ?? []) }),
      file: (done: (file: File) => void, fail: (error: Error) => void) =>
        typeof content === 'string' ? done(new File([content], name)) : fail(new Error('NotFoundError')),
    } as unknown as FileSystemEntry
  })
}

test('all files of dropped folders are found, however many, and what cannot be read is named', async () => {
  const many = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`f${index}`, 'x']))
  const tree: Tree = { 'a.txt': 'x', folder: { many, 'b.txt': 'x', gone: null, empty: {} } }
  const counts: number[] = []
  const found = await filesIn(entriesOf(tree), {
    signal: new AbortController().signal,
    onFound: count => counts.push(count),
  })
  expect(found.files).toHaveLength(6_002)
  expect(found.files[0]?.path).toBe('a.txt')
  expect(found.files.map(({ path }) => path)).toContain('folder/many/f5999')
  expect(found.unreadable).toEqual(['folder/gone'])
  expect(counts.at(-1)).toBe(6_002)
})

test('looking through folders ends when it is stopped', async () => {
  const controller = new AbortController()
  const search = filesIn(entriesOf({ a: 'x', b: 'x' }), {
    signal: controller.signal,
    onFound: () => controller.abort(new Error('stopped')),
  })
  await expect(search).rejects.toThrow('stopped')
})

test('a file that fails does not hold up the others, and is named with its reason', async () => {
  const outcome = await sendAll('/w', [file('one'), file('d/bad'), file('d/two')], {
    ...options(),
    send: async ({ path }) => {
      if (path === 'd/bad') throw refused('bad_request')
      return `/w/${path}`
    },
  })
  expect(outcome.uploaded).toBe(2)
  expect(outcome.failures.map(({ path, reason }) => [path, String(reason)])).toEqual([
    ['d/bad', 'ApiError: It is bad_request.'],
  ])
  expect(outcome.paths).toEqual(['/w/one', '/w/d'])
})

test('where all fail for the same reason the rest is not tried, and counts as failed', async () => {
  let tried = 0
  const files = Array.from({ length: 50 }, (_, index) => file(`f${index}`))
  const outcome = await sendAll('/w', files, {
    ...options(),
    send: async () => {
      tried++
      throw refused('sandbox_not_running')
    },
  })
  expect(tried).toBeLessThan(20)
  expect(outcome.failures.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
})

test('a name that is taken is asked about once for all, and what is stopped is not a failure', async () => {
  const sent: [string, Existing][] = []
  let questions = 0
  const send = async ({ path }: Dropped, existing: Existing) => {
    sent.push([path, existing])
    if (existing === 'refuse') throw refused('conflict')
    return `/w/${path} (2)`
  }
  const ask = async () => {
    questions++
    return { choice: 'keep_both' as const, forAll: true }
  }
  const outcome = await sendAll('/w', [file('a'), file('b')], { ...options(), send, ask })
  expect({ questions, paths: outcome.paths }).toEqual({ questions: 1, paths: ['/w/a (2)', '/w/b (2)'] })
  expect(sent.map(([, existing]) => existing)).toEqual(['refuse', 'keep_both', 'refuse', 'keep_both'])

  const controller = new AbortController()
  const stopped = sendAll('/w', [file('a'), file('b')], {
    ...options(),
    signal: controller.signal,
    send: async () => {
      controller.abort(new Error('stopped'))
      throw new Error('aborted')
    },
  })
  await expect(stopped).rejects.toThrow('stopped')
})

/** Uploads of one conversation, whose service has the files that `taken` names. */
function uploadsOf(taken: readonly string[] = []) {
  const outcomes: string[] = []
  const sent: string[] = []
  const uploads = new Uploads({
    send: async (folder, { path }, { existing }) => {
      if (existing === 'refuse' && taken.includes(path)) throw refused('conflict')
      if (path === 'bad') throw refused('bad_request')
      sent.push(path)
      return `${folder}/${path}`
    },
    onOutcome: ({ kind }) => outcomes.push(kind),
    unreadable: () => new Error('It could not be read.'),
  })
  return { uploads, outcomes, sent }
}

test('what an upload asks and says is there for whoever comes later, and for no other conversation', async () => {
  const { uploads, outcomes, sent } = uploadsOf(['a'])
  const other = uploadsOf()
  // As a tab that is left at once.
  uploads.subscribe(() => {})()
  const paths: string[] = []
  uploads.begin('/w', [file('a'), file('bad'), file('c')], now => paths.push(...now))
  await expect.poll(() => uploads.snapshot().question?.path).toBe('/w/a')
  expect(uploads.snapshot().state).toMatchObject({ kind: 'sending', progress: { done: 0, total: 3 } })
  expect(other.uploads.snapshot()).toEqual({ state: null, question: null, ended: 0 })
  uploads.snapshot().question?.answer('replace', false)
  await expect.poll(() => uploads.snapshot().ended).toBe(1)
  expect(uploads.snapshot()).toMatchObject({ question: null, state: { kind: 'failed', uploaded: 2 } })
  expect({ outcomes, sent, paths }).toEqual({
    outcomes: ['asks_unseen', 'failed'],
    sent: ['a', 'c'],
    paths: ['/w/a', '/w/c'],
  })
  uploads.again()
  await expect.poll(() => uploads.snapshot().ended).toBe(2)
  expect(uploads.snapshot().state).toMatchObject({ kind: 'failed', uploaded: 0 })
  uploads.close()
  expect(uploads.snapshot().state).toBeNull()
})

test('the question about many files waits for its answer, also while nobody sees it', async () => {
  const { uploads, outcomes, sent } = uploadsOf()
  uploads.begin(
    '/w',
    Array.from({ length: 1_000 }, (_, at) => file(`${at}`)),
  )
  await expect.poll(() => uploads.snapshot().state?.kind).toBe('asking')
  uploads.begin('/w', [file('another')])
  expect(outcomes).toEqual(['asks_unseen', 'refused'])
  const { state } = uploads.snapshot()
  if (state?.kind === 'asking') state.answer(true)
  await expect.poll(() => outcomes).toEqual(['asks_unseen', 'refused', 'uploaded'])
  expect(sent).toHaveLength(1_000)
})

test('an empty folder is said to be one, and a large one is not said file by file', async () => {
  const { uploads, outcomes } = uploadsOf()
  uploads.beginWith('/w', entriesOf({ empty: { within: {} } }))
  await expect.poll(() => outcomes).toEqual(['empty'])
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`f${index}`, 'x']))
  const counts: number[] = []
  await filesIn(entriesOf({ many }), { signal: new AbortController().signal, onFound: count => counts.push(count) })
  expect(counts.length).toBeLessThan(100)
})
