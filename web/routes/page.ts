import { lazyRouteComponent } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { isLost } from '../api/connection.ts'
import { connection as texts } from '../texts/en/connection.ts'

/**
 * A page whose script comes when it is gone to. Where it does not come for want of a connection, that is said: the page
 * would otherwise be taken for one of an older build and loaded again, and everything with it be gone.
 */
export const page: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    try {
      return await load()
    } catch (error) {
      throw (await isLost()) ? new ApiError(0, 'offline', texts.notLoaded) : error
    }
  }, name)
