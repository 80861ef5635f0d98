export const settingsAgent = {
  confirmation: 'التأكيد',
  limits: 'الحدود',
  atLimitAgentPauses:
    'عند بلوغ حدٍّ يتوقف الوكيل مؤقتًا ويخبر بذلك. ويمكن أن يكون لكل محادثة حدها الخاص، حتى أثناء عملها.',
  none: 'بلا',
  memory: 'الذاكرة',
  notUsedHere: 'غير مستخدم هنا',
  storedForOtherClients: 'محفوظ لعملاء آخرين؛ لا يستخدمه وكيل Atelier.',
  noneEveryActionWaits: 'بلا: ينتظر كل إجراء',
  finishingAndThinkingNeverWait: 'وحدهما الإنهاء والتفكير لا ينتظران.',
  ateliersRules: 'قواعد Atelier',
  worksWithoutNetwork: 'تعمل دون شبكة. تنتظر الإجراءات الخطرة وغير المصنَّفة.',
  ateliersRulesAndModel: 'قواعد Atelier والنموذج',
  higherOfBothRatingsCounts: 'يُعتمد التصنيف الأعلى من الاثنين.',
  nameByAteliersRules: '{name}، بقواعد Atelier',
}
