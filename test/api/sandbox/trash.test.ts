import { expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { folderFiles, HERE } from '../../parts/client/folder-files.ts'

const it = base
  .extend('started', { scope: 'file' }, ({ service }) => startConversation(service, {}))
  .extend('files', { scope: 'file' }, ({ service, started }) => folderFiles(service, started))

it('what was deleted stands in the trash until it is restored or the trash is emptied, whatever is written into it', async ({
  files,
}) => {
  await files.emptyTrash()
  await files.run(`mkdir gone; printf 12345 >"gone/a
b"; ln -s /etc gone-link`)
  const folder = await files.remove('gone')
  const link = await files.remove('gone-link')
  const items = await files.trash()
  expect(items).toEqual([
    {
      ...link,
      path: `${HERE}/gone-link`,
      kind: 'link',
      size_bytes: expect.any(Number),
      deleted_at: expect.any(String),
    },
    {
      ...folder,
      path: `${HERE}/gone`,
      kind: 'directory',
      size_bytes: expect.any(Number),
      deleted_at: expect.any(String),
    },
  ])
  expect(Date.now() - Date.parse(items[0]?.deleted_at ?? '')).toBeLessThan(60_000)
  await files.run(`cd ~/.local/share/atelier/trash/*; mkdir 1-2 '9999999999999-0123456789ab'
    printf 'no path.' >9999999999999-0123456789ab/path; : >9999999999999-0123456789ab/content`)
  expect(await files.trash()).toEqual(items)
  await files.restore(folder.trash_id)
  expect((await files.trash()).map(({ path }) => path)).toEqual([`${HERE}/gone-link`])
  await files.emptyTrash()
  expect(await files.trash()).toEqual([])
  await expect(files.restore(link.trash_id)).rejects.toMatchObject({ code: 'file_not_found' })
})
