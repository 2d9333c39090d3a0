/** A row of the tables that methods are made from. */
export interface Operation {
  /** The operationId of the description. */
  id: string
  /** Where it stands in the client: `leads.list`. */
  name: string
  method: string
  path: string
  takes: 'query' | 'json' | 'files' | 'lines' | null
  answers: 'json' | 'none' | 'file'
  pages: Pages | null
  /**
   * When a call may be sent again though it may have been done: `always`; `keyed` by its Idempotency-Key; `matched` only with
   * `ifMatch`, as it would undo what somebody else has changed meanwhile.
   */
  repeat: 'always' | 'keyed' | 'matched'
}

/** How a list goes on behind a page. */
export type Pages = 'cursor' | 'numbered' | 'feed' | 'legacy' | 'single'
