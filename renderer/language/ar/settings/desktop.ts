export const settingsDesktop = {
  noTray:
    'لا يعرض سطح المكتب هذا أيقونات في علبة النظام، لذلك ينتهي Atelier عند إغلاق نوافذه. في GNOME تضيف إضافة AppIndicator هذه العلبة.',
  needsTrayIcon: 'شغّل أيقونة علبة النظام أولًا. فبدونها لا شيء يدل على أن Atelier يعمل.',
  opensWindow: 'بلا أيقونة في علبة النظام تُفتح النافذة.',
  needsInstalledApp: 'يتطلب هذا التطبيق المثبّت.',
}
