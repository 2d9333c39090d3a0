import { type RefObject, useLayoutEffect, useState } from 'react'

/** How wide an element is just now, in pixels. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const found = element.current
    if (!found) return
    const watch = new ResizeObserver((entries) => setWidth(Math.floor(entries.at(-1)!.contentRect.width)))
    watch.observe(found)
    setWidth(Math.floor(found.getBoundingClientRect().width))
    return () => watch.disconnect()
  }, [element])
  return width
}
