export const settingsDesktop = {
  noTray:
    'Este escritorio no muestra iconos en una bandeja, por lo que Atelier se cierra junto con sus ventanas. En GNOME, la extensión AppIndicator añade una bandeja.',
  needsTrayIcon: 'Active primero el icono de la bandeja. Sin él, nada mostraría que Atelier está en marcha.',
  opensWindow: 'Sin icono en la bandeja, se abre la ventana.',
  graphicsFailed:
    'Desactivado porque el dibujo con la tarjeta gráfica falló. Actívelo para probar otra vez en el próximo inicio.',
  needsInstalledApp: 'Para esto hace falta la aplicación instalada.',
}
