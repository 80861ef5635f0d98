import type { ProviderTokenRow } from '../store/provider-tokens.ts'

/** The stored tokens, one for each provider. */
export interface TokenSource {
  rows(): ProviderTokenRow[]
  /** Renewed first, where it has expired. @throws AppError of the vault, or of a renewal */
  token(row: ProviderTokenRow): Promise<string | null>
  /** Another token in the place of one that the provider refuses; null where there is none. @throws AppError as `token` */
  renewed(row: ProviderTokenRow, refused: string): Promise<string | null>
}
