export const settingsDesktop = {
  noTray:
    '이 데스크톱에는 트레이가 없으므로 창을 닫으면 Atelier가 종료됩니다. GNOME에서는 AppIndicator 확장으로 트레이를 추가할 수 있습니다.',
  needsTrayIcon: '먼저 트레이 아이콘을 켜세요. 아이콘이 없으면 Atelier가 실행 중인지 알 수 없습니다.',
  opensWindow: '트레이 아이콘이 없으면 창이 열립니다.',
  graphicsFailed: '그래픽 카드로 그리는 데 실패하여 꺼졌습니다. 다음 시작 때 다시 시도하려면 켜세요.',
  needsInstalledApp: '설치된 앱이 필요합니다.',
}
