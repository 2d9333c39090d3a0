import { oneServer } from './shapes.ts'
import { playShort } from './short.ts'

playShort(oneServer)
