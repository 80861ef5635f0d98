/** Where a connection goes in the network of a sandbox. */
export interface Destination {
  /** A name or an address; null for the sandbox itself, on whatever address its program listens. */
  host: string | null
  port: number
}

/** Nothing answers at the place that was asked for. */
export class PortClosed extends Error {
  readonly destination: Destination

  constructor(destination: Destination, message: string) {
    super(message)
    this.destination = destination
  }
}
