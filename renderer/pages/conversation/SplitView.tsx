import type { ReactNode } from 'react'
import { Group, Panel as ResizablePanel, Separator } from 'react-resizable-panels'
import { usePreference } from '../../state/settings/preference.ts'
import { Sheet } from '../../ui/overlay/Dialog.tsx'
import { t } from './text.ts'
import type { Panel } from './use-panel.ts'

const WIDTH = { least: 280, usual: 380, main: 420 }

export interface SplitViewProps {
  panel: Panel
  side: ReactNode
  children: ReactNode
}

/** The conversation with the panel beside it, in narrow windows over it; the panel's width is kept. */
export function SplitView({ panel, side, children }: SplitViewProps) {
  const [width, setWidth] = usePreference('conversation.panel-width', String(WIDTH.usual))
  const beside = panel.open && !panel.asSheet
  return (
    <>
      {/* The conversation has one place in both: its scroll and its focus stay when the window becomes narrow. */}
      <Group className="min-h-0 flex-1">
        <ResizablePanel id="main" minSize={panel.asSheet ? 0 : WIDTH.main}>
          {children}
        </ResizablePanel>
        {beside && (
          <>
            <Separator
              aria-label={t('widthOfPanel')}
              className="w-px bg-line outline-offset-0 data-[separator=active]:bg-accent data-[separator=hover]:bg-edge"
            />
            <ResizablePanel
              id="side"
              minSize={WIDTH.least}
              defaultSize={Number(width) || WIDTH.usual}
              groupResizeBehavior="preserve-pixel-size"
              onResize={size => setWidth(String(Math.round(size.inPixels)))}
            >
              {side}
            </ResizablePanel>
          </>
        )}
      </Group>
      {panel.asSheet && (
        <Sheet open={panel.open} onOpenChange={panel.toggle} title={t('changesAndDetails')} side="right">
          <div className="h-full w-105 max-w-full">{side}</div>
        </Sheet>
      )}
    </>
  )
}
