import { createContext, useCallback, useContext, useMemo, useState } from 'react'

/** Which rows a person opened or closed. It lives above the list, which forgets the rows that scroll away. */
export interface Folds {
  readonly chosen: ReadonlyMap<string, boolean>
  choose(key: string, open: boolean): void
}

export const FoldsContext = createContext<Folds>({ chosen: new Map(), choose: () => {} })

export function useFold(key: string, openByItself = false) {
  const { chosen, choose } = useContext(FoldsContext)
  const open = chosen.get(key) ?? openByItself
  return { open, toggle: () => choose(key, !open) }
}

export function useFolds(): Folds {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(() => new Map())
  const choose = useCallback((key: string, open: boolean) => setChosen(before => new Map(before).set(key, open)), [])
  return useMemo(() => ({ chosen, choose }), [chosen, choose])
}
