export const settingsAgent = {
  confirmation: '確認',
  limits: '上限',
  atLimitAgentPauses:
    '上限に達すると、エージェントは一時停止して知らせます。会話ごとに、作業中でも個別の上限を設定できます。',
  none: 'なし',
  memory: 'メモリ',
  notUsedHere: 'ここでは未使用',
  storedForOtherClients: 'ほかのクライアント用に保存されます。Atelier のエージェントは使いません。',
  noneEveryActionWaits: 'なし：すべての操作が承認待ち',
  finishingAndThinkingNeverWait: '完了と思考だけは待ちません。',
  ateliersRules: 'Atelier のルール',
  worksWithoutNetwork: 'ネットワークなしで動作します。リスクのある操作と未評価の操作は承認を待ちます。',
  ateliersRulesAndModel: 'Atelier のルールとモデル',
  higherOfBothRatingsCounts: '2 つの評価のうち高いほうを採用します。',
  nameByAteliersRules: '{name}（Atelier のルールによる）',
}
