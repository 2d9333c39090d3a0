export const viewPages = ['leads', 'board'] as const
export type ViewPage = (typeof viewPages)[number]

/** A list that a member comes back to: a page's query under a name. */
export interface View {
  id: string
  page: ViewPage
  name: string
  /** What stands behind the question mark of the page's address. */
  query: string
}

export const maxViews = 50
