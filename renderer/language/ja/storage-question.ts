export const storageQuestion = {
  waitUntilItIsDone: '完了するまでお待ちください。',
  startOverWithSandboxes: 'サンドボックスを残してやり直す',
  startOverWithSandboxesHint:
    '会話と設定は失われます。サンドボックスは、エージェントのファイルとともに「サンドボックス」に表示されます。',
  keepSandboxes: 'サンドボックスを残す',
  startOverWithoutThem: 'サンドボックスなしでやり直す',
  asOnFirstDay:
    '初回と同じ状態から始めます。サンドボックスは Docker エンジンに残りますが、Atelier には表示されません。',
  startEmpty: '空の状態で開始',
  restoreBackup: 'バックアップを復元',
  restoreHint: '会話と設定は当時の状態に戻ります。その後に保存したものは失われます。',
  thereIsNoBackup: 'このデータフォルダーにバックアップはありません。',
  backup: 'バックアップ',
  restore: '復元',
  openingDatabase: 'データベースを開いています',
  restoringBackup: 'バックアップを復元して開いています…',
  makingNewDatabase: '新しいデータベースを作成し、サンドボックスを探しています…',
  makingEmptyDatabase: '新しいデータベースを作成中…',
  databaseIsMissing: 'データベースがありません',
  databaseIsDamaged: 'データベースが破損しています',
  databaseIsNewer: 'データベースは新しいバージョンの Atelier のものです',
  tablesAreNotKnown:
    'このバージョンはそのテーブルを扱えず、何も変更していません。アップデート前のバックアップに置き換えられます。今のデータベースはデータフォルダーに残ります。',
  installNewerAgain: 'または、終了して新しいバージョンを再びインストールしてください。データベースをそのまま開けます。',
  atelierWasUsed:
    'このデータフォルダーは以前 Atelier で使われていましたが、データベースがないか、空です。会話と設定はその中にあります。まだ何も変更していません。',
  nothingInDatabase:
    'データベースの内容を読み取れず、代わりになるバックアップもありません。どれを選んでも、元のファイルは保持されます。',
  thatCouldNotBeDone: '実行できませんでした。',
  tryAgain: '再試行',
  quitAtelier: 'Atelier を終了',
  putFileBack: 'または、ファイル atelier.db を元の場所に戻して、起動し直してください。',
  orPutFileBack: 'または、サービスを停止してからファイル atelier.db を元の場所に戻し、起動し直してください。',
}
