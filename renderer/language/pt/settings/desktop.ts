export const settingsDesktop = {
  noTray:
    'Este ambiente não mostra ícones em uma bandeja; por isso, o Atelier é encerrado quando suas janelas são fechadas. No GNOME, a extensão AppIndicator adiciona uma bandeja.',
  needsTrayIcon: 'Ative primeiro o ícone na bandeja. Sem ele, nada mostraria que o Atelier está em execução.',
  opensWindow: 'Sem ícone na bandeja, a janela é aberta.',
  graphicsFailed:
    'Desativado porque o desenho com a placa de vídeo falhou. Ative para tentar de novo na próxima inicialização.',
  needsInstalledApp: 'Isso requer o aplicativo instalado.',
}
