import { withEngines } from './shapes.ts'
import { playShort } from './short.ts'

playShort(withEngines)
