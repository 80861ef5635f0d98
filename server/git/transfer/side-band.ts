/** What the first byte of a line tells apart, https://git-scm.com/docs/protocol-capabilities#_side_band_side_band_64k. */
export const DATA = 1
export const MESSAGE = 2
export const ERROR = 3
