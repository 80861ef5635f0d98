import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { type Answer, CHANNELS, type Connection, type Desktop, type Editor } from './ipc.ts'

async function ask<T>(channel: string, argument?: unknown): Promise<T> {
  const answer: Answer<T> = await ipcRenderer.invoke(channel, argument)
  if (answer.ok) return answer.value
  throw new Error(answer.reason)
}

const desktop: Desktop = {
  connection: () => ask<Connection>(CHANNELS.connection),
  chooseFolder: () => ask<string | null>(CHANNELS.chooseFolder),
  pathOf: file => webUtils.getPathForFile(file),
  openExternal: url => ask<void>(CHANNELS.openExternal, url),
  editors: () => ask<Editor[]>(CHANNELS.editors),
  openInEditor: request => ask<void>(CHANNELS.openInEditor, request),
  openPreview: sandboxId => ask<string>(CHANNELS.openPreview, sandboxId),
  pictureOfPreview: contentsId => ask<string>(CHANNELS.pictureOfPreview, contentsId),
  onPreviewDownload: heard => {
    const listener = (_event: unknown, name: string) => heard(name)
    ipcRenderer.on(CHANNELS.previewDownload, listener)
    return () => ipcRenderer.off(CHANNELS.previewDownload, listener)
  },
  notify: notification => ask<void>(CHANNELS.notify, notification),
  speak: language => ask<void>(CHANNELS.speak, language),
  setTheme: theme => ask<void>(CHANNELS.setTheme, theme),
  quit: () => ask<void>(CHANNELS.quit),
  platform: process.platform,
}

contextBridge.exposeInMainWorld('atelier', desktop)
