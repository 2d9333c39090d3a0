import { embedded } from './shapes.ts'
import { playShort } from './short.ts'

playShort(embedded)
