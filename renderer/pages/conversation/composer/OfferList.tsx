import { useEffect, useRef } from 'react'
import { t } from '../text.ts'
import type { Offer } from './use-offers.ts'

interface OfferListProps {
  id: string
  offers: readonly Offer[]
  chosen: number
  onTake: (offer: Offer) => void
}

export const offerId = (list: string, index: number) => `${list}-${index}`

/** The ways to complete what is written, above the field, in which the focus stays. */
export function OfferList({ id, offers, chosen, onTake }: OfferListProps) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the one that is chosen comes in sight
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('suggestions')}
      className="popup absolute inset-x-0 bottom-full z-20 mb-1 max-h-64 overflow-y-auto p-1"
    >
      {offers.map((offer, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names it as active
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
        <div
          key={`${offer.title} ${offer.hint}`}
          id={offerId(id, index)}
          role="option"
          aria-selected={index === chosen}
          onMouseDown={event => event.preventDefault()}
          onClick={() => onTake(offer)}
          className="flex min-h-7 items-center gap-3 rounded-sm px-2 aria-selected:bg-hover"
        >
          <span className="max-w-2/3 shrink-0 truncate">{offer.title}</span>
          <span className="min-w-0 flex-1 truncate text-faint text-sm">{offer.hint}</span>
        </div>
      ))}
    </div>
  )
}
