/** Tells when what it observes comes near. Of several entries that a busy browser hands over at once, the last is how it is now. */
export function nearObserver(
  onNear: () => unknown,
  nearPx: number,
  root?: Element | null,
): IntersectionObserver {
  return new IntersectionObserver(
    (entries) => {
      if (entries.at(-1)!.isIntersecting) onNear()
    },
    { root, rootMargin: `${nearPx}px 0px` },
  )
}
