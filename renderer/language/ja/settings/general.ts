export const settingsGeneral = {
  account: 'アカウント',
  storedForOtherClients: 'API のほかのクライアント用に保存されるだけです。',
  systemLanguage: 'システムの言語',
  codeSetByAnotherClient: '{code}（別のクライアントが設定）',
  play: '再生',
  desktopNotifications:
    'このウィンドウが前面にないとき、エージェントの完了、応答待ち、停止を知らせます。すぐに、このコンピューター用に保存されます。',
  notificationsNeedInstalledApp: 'デスクトップ通知には、インストール版のアプリが必要です。',
  modelThatYouChoose: '選択したモデル',
  yourMessages: 'メッセージと、エージェントが読み取り、実行する内容。',
  gitHosts: 'Git ホスト',
  repositoriesThatYouName: '指定したリポジトリと、そのために保存したトークン。',
  imageRegistries: 'イメージレジストリ',
  nameOfImage: 'このマシンにまだないイメージの名前。',
  atelierWorksOnThisMachine:
    'Atelier はこのマシンだけで動作し、アカウントもテレメトリもありません。会話はデータフォルダーに、キーはキーチェーンに保存されます。',
  dataLeavesThisMachine: 'このマシンからのデータの送信先',
  whatAgentRunsInSandbox:
    'サンドボックスにネットワークがある場合、その中でエージェントが実行するものもネットワークに接続できます。',
  analytics: '分析',
  themeSystem: 'システムに合わせる',
  themeLight: 'ライト',
  themeDark: 'ダーク',
  textSmall: '小',
  textUsual: '標準',
  textLarge: '大',
  textLarger: '特大',
}
