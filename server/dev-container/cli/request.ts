/** What the thread in which the command line of dev containers runs is to do. */
export interface CliRequest {
  /** Of this call alone; removed after it. */
  home: string
  args: string[]
  /** Hosts that the person has allowed for everybody, as `toHost` writes them. */
  allowedHosts: readonly string[]
  maxBytes: number
}

/** `output` comes in pieces; `problem` is what its log says of one. */
export type CliMessage = { kind: 'output'; text: string } | { kind: 'problem'; text: string }
