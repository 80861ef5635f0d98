import type { Headless } from './service/headless.ts'

/** Late turns of the event loop, in milliseconds of processor time, the longest first. */
export interface Turns {
  turns: number
  longest: number[]
}

/** What `loop-monitor.mjs` saw in a service that was started with it. */
export async function turnsDuring(service: Headless, work: () => Promise<unknown>): Promise<Turns> {
  await turnsSince(service)
  await work()
  return turnsSince(service)
}

function turnsSince(service: Headless): Promise<Turns> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`The service ended: ${service.stderr()}`))
    service.process.once('exit', onExit)
    service.process.once('message', seen => {
      service.process.off('exit', onExit)
      resolve(seen as Turns)
    })
    service.process.send('read', error => error && reject(error))
  })
}
