import { type ReactNode, useState } from 'react'
import { Group, Panel as ResizablePanel, Separator } from 'react-resizable-panels'
import { DIRECTION } from '../../language/current.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { Sheet } from '../../ui/overlay/Dialog.tsx'
import { t } from './text.ts'
import type { Panel } from './use-panel.ts'

/** The group counts from left to right alone, so where reading goes the other way its panels change places. */
const IS_MIRRORED = DIRECTION === 'rtl'

const WIDTH = { least: 280, usual: 430, main: 420 }

export interface SplitViewProps {
  panel: Panel
  side: ReactNode
  children: ReactNode
}

/** The conversation with the panel beside it, in narrow windows over it. The panel keeps its width, and its page while it is folded. */
export function SplitView({ panel, side, children }: SplitViewProps) {
  const beside = panel.open && !panel.asSheet
  const [wasBeside, setWasBeside] = useState(beside)
  if (beside && !wasBeside) setWasBeside(true)
  if (panel.asSheet && wasBeside) setWasBeside(false)
  const separator = beside && (
    <Separator
      aria-label={t('widthOfPanel')}
      className="w-px bg-line outline-offset-0 focus-visible:relative focus-visible:z-10 data-[separator=active]:bg-accent data-[separator=hover]:bg-edge"
    />
  )
  const sidePanel = (beside || wasBeside) && <SidePanel isFolded={!beside}>{side}</SidePanel>
  return (
    <>
      {/* The conversation has one place in both: its scroll and its focus stay when the window becomes narrow. */}
      <Group dir="ltr" className="min-h-0 flex-1">
        {IS_MIRRORED && sidePanel}
        {IS_MIRRORED && separator}
        <ResizablePanel id="main" minSize={panel.asSheet ? 0 : WIDTH.main} className="isolate">
          <Content>{children}</Content>
        </ResizablePanel>
        {!IS_MIRRORED && separator}
        {!IS_MIRRORED && sidePanel}
      </Group>
      {panel.asSheet && (
        <Sheet open={panel.open} onOpenChange={panel.toggle} title={t('changesAndDetails')} side="end">
          <div className="h-full w-105 max-w-full">{side}</div>
        </Sheet>
      )}
    </>
  )
}

function SidePanel({ isFolded, children }: { isFolded: boolean; children: ReactNode }) {
  const [width, setWidth] = usePreference('conversation.panel-width', String(WIDTH.usual))
  // Another size to begin with would end the drag that has just chosen it.
  const [initial] = useState(Number(width) || WIDTH.usual)
  return (
    <ResizablePanel
      id="side"
      minSize={WIDTH.least}
      defaultSize={initial}
      groupResizeBehavior="preserve-pixel-size"
      onResize={size => size.inPixels > 0 && setWidth(String(Math.round(size.inPixels)))}
      className={isFolded ? 'hidden!' : 'isolate'}
    >
      <Content>{children}</Content>
    </ResizablePanel>
  )
}

function Content({ children }: { children: ReactNode }) {
  return (
    <div dir={DIRECTION} className="contents">
      {children}
    </div>
  )
}
