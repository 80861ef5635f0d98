import { z } from 'zod'

/** Analyzers of agent servers; what is not one of them is no analyzer at all. */
export const gatewayAnalyzer = z.looseObject({
  kind: z
    .enum([
      'LLMSecurityAnalyzer',
      'PatternSecurityAnalyzer',
      'PolicyRailSecurityAnalyzer',
      'EnsembleSecurityAnalyzer',
      'GraySwanAnalyzer',
      'ToolShieldLLM',
    ])
    .describe('Name of the analyzer; 501 for `GraySwanAnalyzer` and `ToolShieldLLM`, which are services of others.'),
})
export type GatewayAnalyzer = z.output<typeof gatewayAnalyzer>
