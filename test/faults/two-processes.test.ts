import { twoProcesses } from './shapes.ts'
import { playShort } from './short.ts'

playShort(twoProcesses)
