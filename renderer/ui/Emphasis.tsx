interface EmphasisProps {
  text: string
  /** In their order, without overlap. */
  ranges: readonly { start: number; end: number }[]
}

/** Plain text with marked parts. */
export function Emphasis({ text, ranges }: EmphasisProps) {
  return (
    <bdi>
      {ranges.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark className="rounded-xs bg-find text-inherit">{text.slice(start, end)}</mark>
        </span>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </bdi>
  )
}
