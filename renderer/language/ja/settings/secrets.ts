export const settingsSecrets = {
  nameIsStored: '{name} を保存しました。',
  addSecret: 'シークレットを追加',
  add: '追加',
  itGoesToKeychain: 'キーチェーンに保存され、再び表示されることはありません。',
  itIsKeptInMemory:
    '利用できるキーチェーンがないため、Atelier を終了するまでメモリに保持されます。再び表示されることはありません。',
  secretIsChanged: 'シークレットを変更しました。',
  editSecret: 'シークレットを編集',
  save: '保存',
  emptyKeepsStoredValue: '空欄の場合、保存済みの値を使います。',
  name: '名前',
  asCommandNames: 'コマンド内での名前：英字、数字、_。',
  value: '値',
  description: '説明',
  modelReads: 'モデルが読みます。',
  loadingSecrets: 'シークレットを読み込み中',
  secrets: 'シークレット',
  noSecretsYet: 'シークレットはまだありません。',
  deleteSecret: 'シークレットを削除しますか？',
  delete: '削除',
  nameIsDeleted: '{name} を削除しました。',
  aboutSecrets:
    'エージェントのコマンドが <code>$NPM_TOKEN</code> のように名前を書くと、シークレットが環境変数として渡されます。モデルに見えるのは名前と説明だけで、値は見えません。コマンドが出力した値は伏せられます。',
  secretIsRemoved:
    '<mono>{name}</mono> はキーチェーンから削除され、元に戻せません。この名前を使うコマンドには何も渡されません。',
}
