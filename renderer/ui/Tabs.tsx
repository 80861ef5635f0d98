import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

export interface TabsProps<Name extends string> {
  label: string
  /** null: none is shown. */
  value: Name | null
  onValueChange: (name: Name) => void
  /** `isKept`: its panel stays, hidden, while another one is shown. */
  tabs: readonly { name: Name; title: ReactNode; panel: ReactNode; isKept?: boolean }[]
  /** At the end of the line of tabs. */
  aside?: ReactNode
}

export function Tabs<Name extends string>({ label, value, onValueChange, tabs, aside }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab that is shown is the one of this name.
  useEffect(() => {
    const shown = list.current?.querySelector('[data-active]')
    if (!shown || !list.current) return
    // Also when there is less room, or the words get longer.
    const observer = new ResizeObserver(() => shown.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
    for (const each of [list.current, ...list.current.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [value])
  return (
    <Base.Root value={value} onValueChange={onValueChange} className="flex h-full min-h-0 flex-col">
      <div className="@container flex h-10 shrink-0 items-center justify-between gap-1 border-b border-line px-2">
        <Base.List
          ref={list}
          aria-label={label}
          className="flex h-full min-w-0 gap-0.5 overflow-x-auto overflow-y-hidden fade-scroll"
        >
          {tabs.map(({ name, title }) => (
            <Base.Tab
              key={name}
              value={name}
              className="@max-[460px]:px-1 @max-[460px]:text-sm shrink-0 whitespace-nowrap border-b-2 border-transparent px-2 text-soft hover:text-ink data-active:border-accent data-active:text-ink"
            >
              {title}
            </Base.Tab>
          ))}
        </Base.List>
        {aside}
      </div>
      {tabs.map(({ name, panel, isKept = false }) => (
        <Base.Panel
          key={name}
          value={name}
          keepMounted={isKept}
          className="min-h-0 flex-1 overflow-auto outline-offset-[-2px]"
        >
          {panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
