export const settingsTrust = {
  setUpScripts:
    'لا تحصل سكربتات الإعداد وخطافات git والوكلاء الفرعيون وخوادم الأدوات في مستودع على أي من أسرارك حتى تثق بها. وتسأل المحادثة عندما تجد بعضها. أنت تثق بالإصدار الذي عُرض عليك، وتُسأل مجددًا عند تغيّره.',
  loadingTrustedRepositories: 'جارٍ تحميل المستودعات الموثوقة',
  trustedRepositories: 'المستودعات الموثوقة',
  youTrustNoRepositoryYet: 'لا تثق بأي مستودع بعد. تسأل المحادثة عندما يريد أحدها أسرارًا.',
  hide: 'إخفاء',
  showWhatYouTrust: 'إظهار ما تثق به',
  stopTrustingRepository: 'إلغاء الثقة بـ{repository}',
  stopTrusting: 'إلغاء الثقة',
  stopTrustingThisRepository: 'إلغاء الثقة بهذا المستودع؟',
  repositoryIsNoLongerTrusted: 'لم يعد {repository} موثوقًا.',
  trustedSince:
    'موثوق <time></time> · {parts, plural, zero {لا أجزاء} one {جزء واحد} two {جزءان} few {# أجزاء} many {# جزءًا} other {# جزء}}',
  repositoryIsDistrusted:
    'لا يحصل <mono>{repository}</mono> على أسرار بعد الآن. تتوقف خوادم أدواته، ويُزال خطاف git الخاص به من البيئات المعزولة. استبدل الأسرار التي حصل عليها إن ساورك شك.',
}
