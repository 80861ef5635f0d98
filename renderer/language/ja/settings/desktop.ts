export const settingsDesktop = {
  noTray:
    'このデスクトップにはトレイがないため、ウィンドウを閉じると Atelier は終了します。GNOME では拡張機能 AppIndicator でトレイを追加できます。',
  needsTrayIcon:
    '先にトレイのアイコンをオンにしてください。アイコンがないと、Atelier が実行中であることがわかりません。',
  opensWindow: 'トレイにアイコンがない場合は、ウィンドウが開きます。',
  graphicsFailed:
    'グラフィックスカードでの描画に失敗したため、オフになりました。次の起動でもう一度試すには、オンにしてください。',
  needsInstalledApp: 'インストール版のアプリが必要です。',
}
