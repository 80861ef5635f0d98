import { BrowserWindow, clipboard, Menu, type WebContents } from 'electron'
import { contextItems } from './context-items.ts'

/**
 * Shows what can be done with a text field, selected text or a link where the other button of the mouse was pressed, or the key
 * for it: Electron shows nothing by itself. The page's own menus come first: what they take is never heard of here.
 */
export function offerContextMenu(contents: WebContents): void {
  contents.on('context-menu', (_event, params) => {
    const items = contextItems(params, text => clipboard.writeText(text))
    const window = BrowserWindow.fromWebContents(contents)
    if (items.length === 0 || !window) return
    const { x, y, menuSourceType: sourceType } = params
    Menu.buildFromTemplate(items).popup({ window, x, y, sourceType })
  })
}
