import { twoServers } from './shapes.ts'
import { playShort } from './short.ts'

playShort(twoServers)
