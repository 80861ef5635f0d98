export const settingsTrust = {
  setUpScripts:
    '在您信任之前，仓库的设置脚本、Git 钩子、子智能体和工具服务器得不到您的任何机密。对话发现它们时会询问。您信任的是所展示的版本；版本更改后会再次询问。',
  loadingTrustedRepositories: '正在加载受信任的仓库',
  trustedRepositories: '受信任的仓库',
  youTrustNoRepositoryYet: '您还没有信任任何仓库。仓库需要机密时，对话会询问。',
  hide: '隐藏',
  showWhatYouTrust: '显示您信任的内容',
  stopTrustingRepository: '停止信任 {repository}',
  stopTrusting: '停止信任',
  stopTrustingThisRepository: '停止信任此仓库？',
  repositoryIsNoLongerTrusted: '已不再信任 {repository}。',
  trustedSince: '<time></time>信任 · {parts, plural, other {# 个部分}}',
  repositoryIsDistrusted:
    '<mono>{repository}</mono> 不会再得到机密。其工具服务器会停止，其 Git 钩子会从沙箱中移除。如有疑虑，请更换它已得到的机密。',
}
