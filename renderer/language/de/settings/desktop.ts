export const settingsDesktop = {
  noTray:
    'Dieser Desktop zeigt keine Symbole in einem Infobereich. Deshalb endet Atelier, wenn seine Fenster geschlossen werden. Unter GNOME fügt die Erweiterung AppIndicator einen Infobereich hinzu.',
  needsTrayIcon:
    'Schalten Sie zuerst das Symbol im Infobereich ein. Ohne das Symbol wäre nicht zu sehen, dass Atelier läuft.',
  opensWindow: 'Ohne Symbol im Infobereich öffnet sich das Fenster.',
  graphicsFailed:
    'Ausgeschaltet, weil das Zeichnen mit der Grafikkarte fehlgeschlagen ist. Zum erneuten Versuch beim nächsten Start einschalten.',
  needsInstalledApp: 'Dafür wird die installierte App benötigt.',
}
