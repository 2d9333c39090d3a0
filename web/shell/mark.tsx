/** The sun over its roof: our sign. */
export function Mark() {
  return (
    <svg viewBox="0 0 24 24" className="size-7" aria-hidden>
      <path d="M3 15.500a9 9 0 0 1 18 0z" fill="var(--sun)" />
      <path d="M3 19h18" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path
        d="M12 2v2.500M4.500 5.500l1.700 1.700M19.500 5.500l-1.700 1.700"
        stroke="var(--sun)"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
}
