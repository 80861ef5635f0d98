/** The oldest runtime that we support: Electron 33's Node and Chrome. */
export const targets = { node: 'node20.18', chrome: 'chrome130' }
