import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import type { Screen } from './Screen.tsx'
import { t } from './text.ts'

/** The emulator is half a megabyte that most windows never need. */
const Loaded = lazy(async () => ({ default: (await import('./Screen.tsx')).Screen }))

export function LazyScreen(props: ComponentProps<typeof Screen>) {
  return (
    <Suspense fallback={<Skeleton label={t('loadingScreen')} className="p-3" />}>
      <Loaded {...props} />
    </Suspense>
  )
}
