import { refusal, unreachable } from '../../../server/client/api-error.ts'
import type { Session } from '../session.ts'

export interface SentFile {
  /** Path of the operation, with its query. */
  path: string
  file: Blob
  name: string
  signal: AbortSignal
  /** Bytes so far, those of the form among them. */
  onProgress: (sent: number) => void
}

/** The one file of a form. A fetch does not say how much it has sent. @returns the answer @throws ApiError */
export function sendFile({ url, key }: Session, { path, file, name, signal, onProgress }: SentFile): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `${url}${path}`)
    request.setRequestHeader('X-Session-API-Key', key)
    request.setRequestHeader('Idempotency-Key', crypto.randomUUID())
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => {
      if (request.status < 400) resolve(request.responseText)
      else reject(refusal(request.status, request.responseText))
    }
    request.onerror = () => reject(unreachable(new Error('connection broken')))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    form.append('file', file, name)
    request.send(form)
  })
}
