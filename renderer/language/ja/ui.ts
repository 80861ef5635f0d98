export const ui = {
  copy: 'コピー',
  copied: 'コピーしました',
  tryAgain: '再試行',
  openSettingsModel: '「設定 › モデル」を開く',
  seeWhatToDo: '対処方法を見る',
  characterThatCannotBeSeen: '後続のテキストの並び順を変える、目に見えない文字です。',
  secretStandsHere: 'ここにはシークレットがあります。値は隠されています。',
  secret: 'シークレット',
  choose: '選択…',
  cancel: 'キャンセル',
  close: '閉じる',
  notices: 'お知らせ',
}
