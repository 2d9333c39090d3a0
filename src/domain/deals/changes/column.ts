/** A column of a record: its name and type, the record's field that it belongs to, and its value. */
export type Column<Record> = readonly [
  name: string,
  type: string,
  field: keyof Record,
  value: (record: Record) => unknown,
]

/** The columns whose field is another than before. Records are never changed in place, so fields are compared as they are. */
export function changedColumns<Record>(
  columns: readonly Column<Record>[],
  before: Record,
  after: Record,
): Column<Record>[] {
  return columns.filter(([, , field]) => before[field] !== after[field])
}
