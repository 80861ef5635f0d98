import { LoaderCircle } from 'lucide-react'

/** Only beside words: the words say what goes on. */
export function Spinner({ size = 14, className = '' }: { size?: number; className?: string }) {
  return <LoaderCircle size={size} aria-hidden className={`animate-turn ${className}`} />
}
