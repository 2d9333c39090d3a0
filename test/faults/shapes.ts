/** What a bed is made of. Faults that share a shape (the same object) are played on one bed, one after another. */
export interface Shape {
  name: string
  /** Hosts, each with a folder of its own, behind one address. */
  servers: 1 | 2
  /** WEB_CONCURRENCY of each. */
  processes: 1 | 2
  /** `outside`: a PostgreSQL by DATABASE_URL, through a way that can be cut. `embedded`: the server's own. */
  postgres: 'outside' | 'embedded'
  redis?: true
  /** Where files are kept: a folder unless said. */
  store?: 's3'
  /** What lies on a disk that can be filled, where one may mount: the files unless said. */
  smallDisk?: 'everything'
  /** Starts what else the server finds in its environment; it ends with `atFileEnd`. */
  prepare?(folder: string): Promise<Record<string, string>>
}

/** As most are run: one process, a PostgreSQL beside it, files in a folder. */
export const oneServer: Shape = { name: 'one server', servers: 1, processes: 1, postgres: 'outside' }

export const twoProcesses: Shape = { ...oneServer, name: 'two processes', processes: 2 }

export const twoServers: Shape = { ...oneServer, name: 'two servers', servers: 2 }

/** With what else may be away: a Redis for the limits, and a store of files that speaks S3. */
export const withEngines: Shape = { ...oneServer, name: 'Redis and S3', redis: true, store: 's3' }

/** What `npm start` runs. */
export const embedded: Shape = { ...oneServer, name: 'embedded PostgreSQL', postgres: 'embedded' }

export const embeddedOnSmallDisk: Shape = {
  ...embedded,
  name: 'embedded PostgreSQL on a small disk',
  smallDisk: 'everything',
}
