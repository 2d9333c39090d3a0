import { join } from 'node:path'

/** The checkout, or what an image has of one. What is built stands as deep in it (dist/…/) as this does. */
export const root = join(import.meta.dirname, '../..')
