import { createBirpc } from 'birpc'
import { expect, test } from 'vitest'
import { MESSAGES } from '../../electron/service/calls.ts'

interface Calls {
  fail(how: string): Promise<void>
}

const ERRORS: Readonly<Record<string, unknown>> = {
  words: new Error('The data folder is in use.'),
  disk: Object.assign(new Error('no space left'), { code: 'ENOSPC', cause: () => {} }),
  signal: new DOMException('It took too long.', 'TimeoutError'),
  text: 'only text',
}

test.each([
  ['words', { message: 'The data folder is in use.' }],
  ['disk', { message: 'no space left', code: 'ENOSPC' }],
  ['signal', { message: 'It took too long.' }],
  ['text', { message: 'only text' }],
])('an error that crosses the channel keeps its message and its code: %s', async (how, expected) => {
  const { port1, port2 } = new MessageChannel()
  createBirpc<object, Calls>(
    {
      fail: async name => {
        throw ERRORS[name]
      },
    },
    { ...MESSAGES, post: message => port1.postMessage(message), on: listener => listenTo(port1, listener) },
  )
  const caller = createBirpc<Calls, object>(
    {},
    { ...MESSAGES, post: message => port2.postMessage(message), on: listener => listenTo(port2, listener) },
  )
  try {
    const error = await caller.fail(how).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject(expected)
  } finally {
    port1.close()
  }
})

function listenTo(port: MessagePort, listener: (message: unknown) => void): void {
  port.onmessage = ({ data }) => listener(data)
}
