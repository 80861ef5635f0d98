/** Pictures that came with the event itself. One at an address is named, not fetched. */
export function InlineImages({ images }: { images: readonly string[] }) {
  if (images.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {images.map((address, index) =>
        address.startsWith('data:image/') ? (
          <img
            key={address.slice(0, 64) + address.length}
            src={address}
            alt={`Attachment ${index + 1}`}
            className="max-h-60 max-w-full rounded-md border border-line"
          />
        ) : (
          <span key={address} className="break-all text-soft">
            [picture not loaded: {address}]
          </span>
        ),
      )}
    </div>
  )
}
