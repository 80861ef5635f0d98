export const settingsSandbox = {
  sandboxesReachInternet:
    'تصل البيئات المعزولة إلى الإنترنت، لكن ليس إلى هذا الجهاز وشبكته. ولا يتصل Atelier بمضيف هناك لمجرد أن مستودعًا أو بيئة معزولة أو عميلًا آخر يسمّيه. والمضيف المذكور هنا مفتوح للأمرين: تصل إليه البرامج في كل بيئة معزولة، ويجوز لغيرك تسميته. localhost هو هذا الجهاز.',
  hostsThatSandboxesMayReach: 'مضيفون يُسمح للبيئات المعزولة بالوصول إليهم',
  thisMachineAndItsNetwork: 'هذا الجهاز وشبكته مغلقان أمام البيئات المعزولة، ولا يجوز لأحد غيرك تسمية مضيف هناك.',
  removeHost: 'إزالة {host}',
  remove: 'إزالة',
  host: 'المضيف',
  nameOrAddress: 'اسم أو عنوان، بمنفذ أو لكل المنافذ: localhost:8080, 192.168.1.20.',
  enterHostFirst: 'أدخل مضيفًا أولًا.',
  allow: 'السماح',
  sandboxSpecs: 'مواصفات البيئات المعزولة',
  whatSandboxCanBeStarted: 'ما يمكن بدء بيئة معزولة منه. ويمكن للمحادثة اختيار غيره.',
  sandboxesElsewhere: 'بيئات معزولة في مكان آخر',
}
