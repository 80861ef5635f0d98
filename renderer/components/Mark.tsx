/** The app's sign: an easel that is the letter A, its canvas a lit window. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden className="shrink-0">
      <path d="M12 2.5 5.5 21.5M12 2.5l6.5 19M4.5 17h15" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <rect x="6" y="5.5" width="12" height="9" rx="1" fill="#f2b45c" />
      <path d="M12 5.5v9M6 10h12" stroke="#2b3a4d" strokeWidth="1" />
    </svg>
  )
}
