import type { WebContents, WebFrameMain } from 'electron'
import { isAppAddress } from './addresses.ts'
import type { EditorRequest } from './ipc.ts'

interface IpcSender {
  sender: Pick<WebContents, 'id'>
  senderFrame: Pick<WebFrameMain, 'parent' | 'url'> | null
}

/** Only the main frame of our window, while it shows our page. A frame that is gone cannot be checked, so it may not. */
export function isOwnPage({ sender, senderFrame }: IpcSender, own: Pick<WebContents, 'id'>): boolean {
  return sender.id === own.id && senderFrame !== null && senderFrame.parent === null && isAppAddress(senderFrame.url)
}

const MAX_PATH = 4096

export function parseEditorRequest(value: unknown): EditorRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { editor, conversation, path } = value as Record<string, unknown>
  if (typeof editor !== 'string' || typeof conversation !== 'string' || typeof path !== 'string') return undefined
  return path.startsWith('/') && path.length <= MAX_PATH ? { editor, conversation, path } : undefined
}

export function parseNotification(value: unknown): { title: string; body: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { title, body } = value as Record<string, unknown>
  if (typeof title !== 'string' || typeof body !== 'string' || title === '') return undefined
  return { title: title.slice(0, 200), body: body.slice(0, 1_000) }
}
