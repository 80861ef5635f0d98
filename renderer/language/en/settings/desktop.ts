export const settingsDesktop = {
  noTray:
    'This desktop shows no icons in a tray, so Atelier ends when its windows are closed. On GNOME, the AppIndicator extension adds a tray.',
  needsTrayIcon: 'Turn on the icon in the tray first. Without it nothing would show that Atelier is running.',
  opensWindow: 'Without an icon in the tray, the window opens.',
  graphicsFailed:
    'Turned off because drawing with the graphics card failed. Turn it on to try again at the next start.',
  needsInstalledApp: 'This needs the installed app.',
} as const
