import { parentPort } from 'node:worker_threads'
import { Emulator, type EmulatorRequest } from './emulator.ts'

/** The thread in which output is rendered: a new screen with `begin`, and one answer to each `render`. */
let emulator = new Emulator()

parentPort?.on('message', (request: EmulatorRequest) => {
  if (request.kind === 'begin') {
    emulator.close()
    emulator = new Emulator()
  } else {
    void emulator.render(request.text).then(rendered => parentPort?.postMessage(rendered))
  }
})
