export const settingsDesktop = {
  noTray: '此桌面不显示托盘图标，因此关闭窗口后 Atelier 会退出。在 GNOME 上，可通过 AppIndicator 扩展添加托盘。',
  needsTrayIcon: '请先打开托盘图标。没有它，就看不出 Atelier 正在运行。',
  opensWindow: '没有托盘图标时，会打开窗口。',
  graphicsFailed: '使用显卡绘制失败，因此已关闭。打开后，下次启动时会再次尝试。',
  needsInstalledApp: '此功能需要已安装的应用。',
}
