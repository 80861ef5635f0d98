export const conversationPreview = {
  ports: 'サンドボックスのポート',
  nothingListens: 'サンドボックスで待ち受けているものはありません',
  nothingListensHint: '開発サーバーなどのプログラムがポートで待ち受けを始めると、すぐここに表示されます。',
  sandboxDoesNotRun: 'サンドボックスは実行中ではありません',
  sandboxDoesNotRunHint: '実行中の間、ポートがここに表示されます。',
  port: 'ポート {port}',
  open: '開く',
  openPort: 'ポート {port} をブラウザーで開く',
  copyAddress: 'ポート {port} のアドレスをコピー',
  addressHint:
    'アドレスは、新しい API キーを作成するまで、このコンピューター上でアドレスを知っている人なら誰でも使えます。',
  lookingForPorts: 'ポートを探しています',
}
