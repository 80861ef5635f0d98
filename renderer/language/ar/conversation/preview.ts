export const conversationPreview = {
  ports: 'منافذ البيئة المعزولة',
  nothingListens: 'لا شيء يستمع في البيئة المعزولة',
  nothingListensHint: 'عندما يبدأ برنامج فيها بالاستماع على منفذ، مثل خادم تطوير، يظهر هنا فورًا.',
  sandboxDoesNotRun: 'البيئة المعزولة لا تعمل',
  sandboxDoesNotRunHint: 'تظهر منافذها هنا ما دامت تعمل.',
  port: 'المنفذ {port}',
  open: 'فتح',
  openPort: 'فتح المنفذ {port} في المتصفح',
  copyAddress: 'نسخ عنوان المنفذ {port}',
  addressHint: 'تعمل العناوين على هذا الحاسوب لكل من يعرفها، إلى أن تنشئ مفتاح API جديدًا.',
  lookingForPorts: 'جارٍ البحث عن المنافذ',
}
