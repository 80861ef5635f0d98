import { type ServerOptions, WebSocketServer } from 'ws'

/** A packet of 64 KiB holds ten thousand small frames: each is handled in a turn of the event loop of its own. */
export class OneFrameATurn extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, allowSynchronousEvents: false })
  }
}
