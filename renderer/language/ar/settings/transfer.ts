export const settingsTransfer = {
  exportAndImport: 'النقل إلى حاسوب آخر',
  aboutTransfer: 'كل شيء في ملف واحد يضيفه Atelier على حاسوب آخر إلى ما لديه.',
  exportAsks: 'تصدير…',
  importAsks: 'استيراد…',
  importFromOpenHands: 'استيراد من OpenHands…',
  importInstructions: 'استيراد التعليمات …',
  instructionsTitle: 'تعليمات لوكلاء آخرين',
  aboutInstructions:
    'ما كتبته لبرامج أخرى على هذا الحاسوب، مثل CLAUDE.md وAGENTS.md. ما تستورده يقرؤه وكيل كل محادثة جديدة، ومن ثم نموذجه.',
  lookingForInstructions: 'جارٍ البحث عن التعليمات',
  noInstructions: 'لا توجد على هذا الحاسوب. جرى البحث عن: {files}.',
  takeOver: 'استيراد',
  takeOverAgain: 'استيراد من جديد',
  removeInstructions: 'إزالة',
  instructionsAreRead: 'استُوردت باسم {file}.',
  instructionsHaveChanged: 'تغيّر الملف منذ استيراده باسم {file}.',
  instructionsAreGone: 'لم يعد الملف موجودًا. ما زال الوكلاء يقرؤون {file}.',
  chooseAnotherFolder: 'اختيار مجلد آخر…',
  doesNotComeOver: 'لن يُنقل ما يلي:',
  exportedFile: 'ملف مُصدَّر',
  exportTitle: 'تصدير كل شيء',
  exportHolds: 'يحوي الملف كل المحادثات والإعدادات والنماذج المحفوظة ومواصفات البيئات المعزولة وأسماء الأسرار.',
  exportLeavesOut: 'تبقى هنا ملفات البيئات المعزولة ونقاط الحفظ والثقة بالمستودعات. ادفع أو نزّل ما تحتاجه منها.',
  export: 'تصدير',
  cancel: 'إلغاء',
  close: 'إغلاق',
  stop: 'إيقاف',
  withSecretValues: 'مع قيم المفاتيح والأسرار، مشفّرة',
  passphrase: 'عبارة المرور',
  passphraseHint: '12 حرفًا على الأقل. لا يستطيع أحد فتح القيم بدونها، ولا يحتفظ بها Atelier في أي مكان.',
  passphraseIsWeak: 'أدخل 12 حرفًا على الأقل، منها 6 مختلفة.',
  repeatPassphrase: 'عبارة المرور مرة أخرى',
  passphrasesDiffer: 'عبارتا المرور مختلفتان.',
  preparing: 'جارٍ التحضير…',
  eventsOf: '{done, number} من {total, number} من الأحداث',
  fileIsReady: 'الملف جاهز',
  saveFile: 'حفظ',
  fileHolds:
    '{conversations, plural, zero {لا محادثات} one {محادثة واحدة} two {محادثتان} few {# محادثات} many {# محادثة} other {# محادثة}}، {events, plural, zero {لا أحداث} one {حدث واحد} two {حدثان} few {# أحداث} many {# حدثًا} other {# حدث}}، {bytes}.',
  isExported: 'تم تصدير كل شيء.',
  damagedAreLeftOut:
    '{count, plural, zero {لا محادثات متروكة.} one {تعذّرت قراءة محادثة واحدة فتُركت.} two {تعذّرت قراءة محادثتين فتُركتا.} few {تعذّرت قراءة # محادثات فتُركت.} many {تعذّرت قراءة # محادثة فتُركت.} other {تعذّرت قراءة # محادثة فتُركت.}}',
  specsAreLeftOut:
    'تُركت مواصفات البيئات المعزولة التي لا توجد صورتها إلا على هذا الحاسوب. صدّر كلًا منها من صفحة البيئة المعزولة:',
  variablesAreLeftOut: 'تُركت المتغيرات التي قد تكون قيمها سرية:',
  signInsAreLeftOut: 'سجّل الدخول من جديد إلى مزوّدي git هؤلاء على الحاسوب الآخر:',
  importTitle: 'استيراد',
  bytesOf: '{done} من {total}',
  checking: 'جارٍ القراءة. لم يُخزَّن شيء بعد.',
  adding: 'جارٍ إضافة ما ليس هنا بعد.',
  fileToImport: 'إضافة {name}؟',
  versionAndMoment: 'كتبه Atelier {version}، {moment}.',
  add: 'إضافة',
  countOfConversations:
    '{count, plural, zero {لا محادثات} one {محادثة واحدة} two {محادثتان} few {# محادثات} many {# محادثة} other {# محادثة}}{present, plural, =0 {} zero {} one {، واحد منها موجود هنا} two {، اثنان منها موجودان هنا} few {، # منها موجودة هنا} many {، # منها موجودة هنا} other {، # منها موجودة هنا}}',
  countOfEvents:
    '{count, plural, zero {لا أحداث} one {حدث واحد} two {حدثان} few {# أحداث} many {# حدثًا} other {# حدث}}',
  countOfModels:
    '{count, plural, zero {لا نماذج محفوظة} one {نموذج محفوظ واحد} two {نموذجان محفوظان} few {# نماذج محفوظة} many {# نموذجًا محفوظًا} other {# نموذج محفوظ}}{present, plural, =0 {} zero {} one {، واحد منها موجود هنا} two {، اثنان منها موجودان هنا} few {، # منها موجودة هنا} many {، # منها موجودة هنا} other {، # منها موجودة هنا}}',
  countOfSpecs:
    '{count, plural, zero {لا مواصفات بيئات معزولة} one {مواصفة بيئة معزولة واحدة} two {مواصفتا بيئة معزولة} few {# مواصفات بيئة معزولة} many {# مواصفة بيئة معزولة} other {# مواصفة بيئة معزولة}}{present, plural, =0 {} zero {} one {، واحد منها موجود هنا} two {، اثنان منها موجودان هنا} few {، # منها موجودة هنا} many {، # منها موجودة هنا} other {، # منها موجودة هنا}}',
  countOfSecrets:
    '{count, plural, zero {لا أسرار} one {سر واحد} two {سران} few {# أسرار} many {# سرًا} other {# سر}}{present, plural, =0 {} zero {} one {، واحد منها موجود هنا} two {، اثنان منها موجودان هنا} few {، # منها موجودة هنا} many {، # منها موجودة هنا} other {، # منها موجودة هنا}}',
  unreadableEvents:
    '{count, plural, zero {كل الأحداث مقروءة.} one {تعذّرت قراءة حدث واحد، ويحل محله تنبيه.} two {تعذّرت قراءة حدثين، ويحل محل كل منهما تنبيه.} few {تعذّرت قراءة # أحداث، ويحل محل كل منها تنبيه.} many {تعذّرت قراءة # حدثًا، ويحل محل كل منها تنبيه.} other {تعذّرت قراءة # حدث، ويحل محل كل منها تنبيه.}}',
  presentIsKept:
    'المحادثات والنماذج المحفوظة ومواصفات البيئات المعزولة والأسرار والمفاتيح وخوادم الأدوات الموجودة هنا تبقى كما هي. تُؤخذ نسخة احتياطية أولًا.',
  takeSettings: 'اعتماد الإعدادات أيضًا',
  settingsWouldChange: 'ستتغير هذه الإعدادات:',
  noSettingChanges: 'لن يتغير أي إعداد.',
  settingIsNotSet: 'غير محدد',
  settingIsOn: 'مفعّل',
  settingIsOff: 'معطّل',
  takeSecretValues: 'اعتماد قيم المفاتيح والأسرار',
  enterPassphrase: 'أدخل عبارة مرور الملف.',
  isImported: 'اكتمل الاستيراد',
  importHasEnded: 'انتهى الاستيراد',
  importWasStopped: 'أُوقف الاستيراد. تبقى المحادثات التي اكتملت حتى ذلك الحين.',
  wholeConversationsStay: 'تبقى المحادثات التي اكتملت حتى ذلك الحين.',
  addedConversations:
    '{count, plural, zero {لم تُضف محادثات.} one {أُضيفت محادثة واحدة.} two {أُضيفت محادثتان.} few {أُضيفت # محادثات.} many {أُضيفت # محادثة.} other {أُضيفت # محادثة.}}',
  addedOthers: 'أُضيف: {what}.',
  takenSettings:
    '{count, plural, zero {لم يُعتمد أي إعداد.} one {اعتُمد إعداد واحد.} two {اعتُمد إعدادان.} few {اعتُمدت # إعدادات.} many {اعتُمد # إعدادًا.} other {اعتُمد # إعداد.}}',
  keptConversations:
    '{count, plural, zero {لم تكن هنا محادثات.} one {كانت محادثة واحدة هنا من قبل فأُبقيت.} two {كانت محادثتان هنا من قبل فأُبقيتا.} few {كانت # محادثات هنا من قبل فأُبقيت.} many {كانت # محادثة هنا من قبل فأُبقيت.} other {كانت # محادثة هنا من قبل فأُبقيت.}}',
  settingsAreKept:
    'لم تُعتمد هذه الإعدادات، لأنها تحمي هذا الحاسوب أو تخص حاسوبًا بعينه، أو لا تصلح، أو كانت سترسل مفتاحًا لك إلى عنوان آخر:',
  secretsHaveNoValue: 'تحتاج هذه الأسرار إلى قيمة تدخلها في صفحة الأسرار:',
  couldNotBeAdded: 'تعذّرت إضافة ما يلي:',
  undoWithBackup:
    'للتراجع عن الاستيراد، استعد من النسخ الاحتياطية النسخة التي أُخذت قبله. تبقى القيم التي أُضيفت إلى سلسلة المفاتيح فيها.',
  exportWithFoldersLeavesOut: 'تبقى هنا نقاط الحفظ والثقة بالمستودعات وملفات البيئات المعزولة خارج مجلدات عملها.',
  withWorkingFolders: 'مع مجلدات العمل الخاصة بالمحادثات',
  aboutWorkingFolders:
    'كل ملف فيها كما هو في بيئته المعزولة، بما في ذلك ما يتجاهله git وما قد يكون سريًا مثل ملفات ‎.env. وعلى الحاسوب الآخر تستمر المحادثة بها في بيئة معزولة جديدة.',
  foldersOf: '{done, number} من {total, number} من مجلدات العمل',
  countOfFolders:
    '{count, plural, zero {لا مجلدات عمل} one {مجلد عمل واحد} two {مجلدا عمل} few {# مجلدات عمل} many {# مجلد عمل} other {# مجلد عمل}}',
  foldersAreLeftOut: 'تعذّر نقل مجلدات العمل هذه:',
}
