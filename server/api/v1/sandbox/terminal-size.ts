import { z } from 'zod'

/** In cells. */
export const terminalSize = {
  cols: z.int().min(2).max(1000).describe('Width in columns.'),
  rows: z.int().min(1).max(500).describe('Height in rows.'),
}
