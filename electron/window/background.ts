/** `canvas` of the renderer's theme: what shows before the first paint. */
export const WINDOW_BACKGROUND = { light: '#f6f5f3', dark: '#131312' }
