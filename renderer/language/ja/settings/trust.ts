export const settingsTrust = {
  setUpScripts:
    'リポジトリのセットアップスクリプト、Git フック、サブエージェント、ツールサーバーには、信頼するまでシークレットが渡されません。これらが見つかると、会話の中で確認します。信頼の対象は表示されたバージョンで、変更されるともう一度確認します。',
  loadingTrustedRepositories: '信頼済みリポジトリを読み込み中',
  trustedRepositories: '信頼済みリポジトリ',
  youTrustNoRepositoryYet:
    '信頼済みのリポジトリはまだありません。シークレットを必要とするものがあると、会話の中で確認します。',
  hide: '非表示',
  showWhatYouTrust: '信頼の対象を表示',
  stopTrustingRepository: '{repository} の信頼を解除',
  stopTrusting: '信頼を解除',
  stopTrustingThisRepository: 'このリポジトリの信頼を解除しますか？',
  repositoryIsNoLongerTrusted: '{repository} の信頼を解除しました。',
  trustedSince: '信頼：<time></time> · {parts, plural, other {# 個の対象}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> にはシークレットが渡されなくなります。ツールサーバーは停止し、Git フックはサンドボックスから削除されます。不安がある場合は、すでに渡したシークレットを置き換えてください。',
}
