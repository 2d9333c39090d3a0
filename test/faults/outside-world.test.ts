import { outsideWorld } from './outside/world.ts'
import { playShort } from './short.ts'

playShort(outsideWorld)
