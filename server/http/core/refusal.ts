import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Response } from 'express'
import type { ErrorCode } from '../../api/contract/failures.ts'

/** Why a request goes no further, before anybody has looked at what it asks for. */
export interface Refusal {
  status: number
  code: ErrorCode
  detail: string
  /** Beside `detail` and `code`, for clients that read another field. */
  message?: string
  headers?: Readonly<Record<string, string>>
}

export function answerRefusal(response: Response, { status, headers, ...body }: Refusal): void {
  response
    .set({ ...headers })
    .status(status)
    .json(body)
}

/** An upgrade has no reply yet: its refusal is written on the connection, which ends, also for a client that keeps its half open. */
export function refuseUpgrade(socket: Duplex, { status, headers = {} }: Refusal): void {
  const lines = Object.entries({ ...headers, Connection: 'close', 'Content-Length': '0' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n`, () => socket.destroy())
}
