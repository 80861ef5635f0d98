import {
  deleteDataExport,
  downloadDataExport,
  getDataExport,
  startDataExport,
} from '../../../server/api/v1/transfer/exports.ts'
import { deleteDataImport, getDataImport, uploadDataImport } from '../../../server/api/v1/transfer/imports.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import { instructionsThings } from './instructions.ts'
import type { Around } from './things.ts'

const PASSPHRASE = 'a long passphrase of a test'

/** Files with everything, and what is read of them. */
export function transferThings(around: () => Around): Record<string, () => Promise<string>> {
  const client = () => around().service.client
  const begun = async (passphrase: string | null) => {
    const { export_id } = await whenFree(() => client().call(startDataExport, { body: { passphrase } }))
    return export_id
  }
  const ready = async () => {
    const export_id = await begun(null)
    await waitUntil(async () => (await client().call(getDataExport, { params: { export_id } })).state === 'ready')
    return export_id
  }
  const sent = async (content: Blob, state: string) => {
    const form = new FormData()
    form.set('file', content, 'mine.atelier-data.zip')
    const { import_id } = await whenFree(() => client().call(uploadDataImport, { form }))
    await waitUntil(async () => (await client().call(getDataImport, { params: { import_id } })).state === state)
    return import_id
  }
  return {
    ...instructionsThings(around),
    readyExport: ready,
    // The key of a passphrase takes its time.
    writingExport: () => begun(PASSPHRASE),
    noExport: async () => {
      const export_id = await begun(null)
      await client().call(deleteDataExport, { params: { export_id } })
      return ''
    },
    failedImport: () => sent(new Blob(['no archive']), 'failed'),
    checkedImport: async () => {
      const export_id = await ready()
      return sent(await client().download(downloadDataExport, { params: { export_id } }), 'checked')
    },
    noImport: async () => {
      const import_id = await sent(new Blob(['no archive']), 'failed')
      await client().call(deleteDataImport, { params: { import_id } })
      return ''
    },
  }
}

/** One at a time is written or read. */
async function whenFree<T>(begin: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await begin()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'too_many_requests') throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 20))
}
