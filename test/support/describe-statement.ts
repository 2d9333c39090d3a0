import type pg from 'pg'

export interface Described {
  name: string
  typeId: number
}

interface Connection {
  parse(query: { name: string; text: string }): void
  describe(what: { type: 'S'; name: string }): void
  sync(): void
}

/** Prepares a statement without running it, and answers the columns of its rows. */
export function describeStatement(client: pg.Client, text: string): Promise<Described[]> {
  return new Promise((resolve, reject) => {
    let columns: Described[] = []
    const submittable = {
      submit(connection: Connection) {
        connection.parse({ name: '', text })
        connection.describe({ type: 'S', name: '' })
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
        columns = fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }))
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(columns),
    }
    client.query(submittable as unknown as pg.Submittable)
  })
}
