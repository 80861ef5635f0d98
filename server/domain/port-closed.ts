/** Nothing in the sandbox answers at the port that was asked for. */
export class PortClosed extends Error {
  readonly port: number

  constructor(port: number, message: string) {
    super(message)
    this.port = port
  }
}
