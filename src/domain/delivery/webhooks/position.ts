/** A place in a tenant's event log: events of one time are counted from 0. */
export interface Position {
  at: Date
  ordinal: number
}
