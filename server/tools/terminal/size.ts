/** The size of the agent's terminal, in characters. */
export const COLUMNS = 256
export const ROWS = 50
