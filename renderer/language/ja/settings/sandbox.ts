export const settingsSandbox = {
  sandboxesReachInternet:
    'サンドボックスはインターネットに接続できますが、このマシンとそのネットワークには接続できません。また、リポジトリ、サンドボックス、ほかのクライアントがそこにあるホストを指定しても、Atelier は接続しません。ここに登録したホストは両方に開放され、すべてのサンドボックスのプログラムが接続でき、ほかからも指定できます。localhost はこのマシンです。',
  hostsThatSandboxesMayReach: 'サンドボックスから接続できるホスト',
  thisMachineAndItsNetwork:
    'このマシンとそのネットワークはサンドボックスに対して閉じられており、そこにあるホストを指定できるのはあなただけです。',
  removeHost: '{host} を削除',
  remove: '削除',
  host: 'ホスト',
  nameOrAddress:
    '名前またはアドレス。ポートを指定するか、省略してすべてのポートを許可します：localhost:8080、192.168.1.20。',
  enterHostFirst: '先にホストを入力してください。',
  allow: '許可',
  sandboxSpecs: 'サンドボックス仕様',
  whatSandboxCanBeStarted: 'サンドボックスの起動元です。会話ごとに別のものを選べます。',
  neverPaused: 'しない',
  anyNumber: '制限なし',
  pausedAfterMinutes: '{minutes, plural, other {# 分使われなかったら}}',
  sandboxesElsewhere: '外部のサンドボックス',
  engines: 'エンジン',
  whereSandboxesRun: 'サンドボックスが動く場所です。サンドボックス仕様がその一つを選びます。',
}
