export const ui = {
  copy: 'نسخ',
  copied: 'تم النسخ',
  tryAgain: 'إعادة المحاولة',
  openSettingsModel: 'فتح الإعدادات › النموذج',
  seeWhatToDo: 'معرفة ما العمل',
  characterThatCannotBeSeen: 'حرف غير مرئي يقلب ترتيب النص الذي يليه.',
  secretStandsHere: 'هنا سر. قيمته مخفية.',
  secret: 'سر',
  choose: 'اختيار…',
  cancel: 'إلغاء',
  close: 'إغلاق',
  notices: 'إشعارات',
}
