import { useRouterState } from '@tanstack/react-router'

/** How many cards of a column were drawn, by where in the browser's history the board stood. */
const drawn = new Map<string, Map<string, number>>()
const maxPlaces = 20

/** What was drawn of the board when it was left, so that who goes back finds the card that they opened. */
export function useDrawn(): Map<string, number> {
  const place = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' })
  let columns = drawn.get(place)
  if (!columns) {
    columns = new Map()
    drawn.set(place, columns)
    if (drawn.size > maxPlaces) drawn.delete(drawn.keys().next().value!)
  }
  return columns
}
