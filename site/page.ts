/** A page of the site before it is put into its frame. */
export interface Page {
  /** Its address, such as /docs/guides/sync. */
  path: string
  title: string
  /** What it is a part of, where its title alone says too little. */
  over?: string
  /** One sentence, for search results, previews and llms.txt. */
  description: string
  html: string
  /** Its source, where it is a text that somebody wrote: served beside it, for programs. */
  markdown?: string
}

export interface Group {
  title: string
  pages: Page[]
  /** Where the group is shown as its first page and, on one of its pages, the others below it. */
  folded?: boolean
}
