import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { closeTopDialog, useHasOpenDialog } from '../ui/open-dialogs.ts'

/** The browser's Back closes the dialog that is open, and the page stays. */
export function BackClosesDialog() {
  const router = useRouter()
  const { history } = router
  const isOpen = useHasOpenDialog()
  useEffect(() => {
    if (!isOpen) return
    // Back from the first page would leave the console unasked: what stands before it is then the same page again. A page
    // that says why nothing is shown would be asked for again by it, and lose the dialog.
    const isShown = router.state.matches.every(({ status }) => status !== 'error')
    if (isShown && history.location.state.__TSR_index === 0) history.push(history.location.href)
    return history.block({
      enableBeforeUnload: false,
      blockerFn: async ({ action }) => action === 'BACK' && closeTopDialog(),
    })
  }, [router, history, isOpen])
  return null
}
