import type { MenuItemConstructorOptions } from 'electron'
import { t } from './text.ts'

export interface MenuActions {
  show: (route: string) => void
  openApiDocumentation: () => void
  openLogs: () => void
  /** Takes back that the app quits once no agent works. */
  stay: () => void
}

export function menuTemplate(
  platform: NodeJS.Platform,
  development: boolean,
  actions: MenuActions,
  quitsWhenFinished: boolean,
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin'
  const settings: MenuItemConstructorOptions = {
    label: t('settings'),
    accelerator: 'CmdOrCtrl+,',
    click: () => actions.show('/settings'),
  }
  return [
    ...(mac ? [applicationMenu(settings)] : []),
    {
      label: t('fileMenu'),
      submenu: [
        { label: t('newConversation'), accelerator: 'CmdOrCtrl+N', click: () => actions.show('/') },
        { label: t('sandboxes'), accelerator: 'CmdOrCtrl+Shift+S', click: () => actions.show('/sandboxes') },
        { type: 'separator' },
        ...(mac ? [{ role: 'close' } as const] : [settings, { type: 'separator' } as const, { role: 'quit' } as const]),
      ],
    },
    mac ? { role: 'editMenu' } : editMenu(),
    viewMenu(development),
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { label: t('apiDocumentation'), click: actions.openApiDocumentation },
        { label: t('showLogs'), click: actions.openLogs },
      ],
    },
    // In the bar itself, where it is seen without opening anything.
    ...(quitsWhenFinished
      ? [{ label: t('quitsWhenFinished'), submenu: [{ label: t('doNotQuit'), click: actions.stay }] }]
      : []),
  ]
}

function applicationMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      { type: 'separator' },
      settings,
      { type: 'separator' },
      { role: 'services' },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit' },
    ],
  }
}

/** With the keys that paste into a terminal, where Ctrl+V is a character. */
function editMenu(): MenuItemConstructorOptions {
  return {
    role: 'editMenu',
    label: t('editMenu'),
    submenu: [
      { role: 'undo', label: t('undo') },
      { role: 'redo', label: t('redo') },
      { type: 'separator' },
      { role: 'cut', label: t('cut') },
      { role: 'copy', label: t('copy') },
      { role: 'paste', label: t('paste') },
      { role: 'pasteAndMatchStyle', label: t('pasteAsText'), accelerator: 'CmdOrCtrl+Shift+V' },
      { role: 'delete', label: t('deleteText') },
      { type: 'separator' },
      { role: 'selectAll', label: t('selectAll') },
    ],
  }
}

function viewMenu(development: boolean): MenuItemConstructorOptions {
  return {
    label: t('viewMenu'),
    submenu: [
      { role: 'reload' },
      ...(development ? [{ role: 'toggleDevTools' } as const] : []),
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  }
}
