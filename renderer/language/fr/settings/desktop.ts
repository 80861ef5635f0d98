export const settingsDesktop = {
  noTray:
    'Ce bureau n’affiche pas d’icônes de notification : Atelier se termine donc quand ses fenêtres sont fermées. Sous GNOME, l’extension AppIndicator en ajoute.',
  needsTrayIcon:
    'Activez d’abord l’icône de la zone de notification. Sans elle, rien n’indiquerait qu’Atelier est en cours d’exécution.',
  opensWindow: 'Sans icône dans la zone de notification, la fenêtre s’ouvre.',
  graphicsFailed:
    'Désactivé, car l’affichage avec la carte graphique a échoué. Activez-le pour réessayer au prochain lancement.',
  needsInstalledApp: 'Cela nécessite l’application installée.',
}
