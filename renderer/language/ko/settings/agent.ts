export const settingsAgent = {
  confirmation: '승인',
  limits: '한도',
  atLimitAgentPauses:
    '한도에 이르면 에이전트가 일시 중지하고 알립니다. 대화마다 따로 정할 수 있으며, 실행 중에도 바꿀 수 있습니다.',
  none: '없음',
  memory: '메모리',
  notUsedHere: '여기서는 사용하지 않음',
  storedForOtherClients: '다른 클라이언트를 위해 저장됩니다. Atelier의 에이전트는 사용하지 않습니다.',
  noneEveryActionWaits: '없음: 모든 작업이 기다림',
  finishingAndThinkingNeverWait: '마치기와 생각하기만 기다리지 않습니다.',
  ateliersRules: 'Atelier의 규칙',
  worksWithoutNetwork: '네트워크 없이 작동합니다. 위험하거나 평가되지 않은 작업은 기다립니다.',
  ateliersRulesAndModel: 'Atelier의 규칙과 모델',
  higherOfBothRatingsCounts: '두 평가 중 높은 쪽을 적용합니다.',
  nameByAteliersRules: '{name}, Atelier의 규칙 적용',
}
