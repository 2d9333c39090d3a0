import { MoreHorizontal } from 'lucide-react'
import { api } from '../../../api/client.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { common } from '../../../texts/en/common.ts'
import { webhooks as texts } from '../../../texts/en/webhooks.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx'
import { useToasts } from '../../../ui/toast.tsx'
import type { WebhookResponse, WebhookTested } from './use-webhooks.ts'

/** What a dialog asks about. */
export type Asking = 'edit' | 'rotate' | 'remove'

interface WebhookActionsProps {
  webhook: WebhookResponse
  onAsk: (what: Asking) => void
  onChanged: () => void
}

export function WebhookActions({ webhook: { id, status }, onAsk, onChanged }: WebhookActionsProps) {
  const { say, complain } = useToasts()
  const test = useSubmit({
    mutationFn: (_, submission) => api.post<WebhookTested>(`/webhooks/${id}/test`, {}, submission),
    onSuccess: ({ delivered, attempt }) => {
      if (delivered) say(texts.testArrived(attempt.duration_ms))
      else complain(texts.testFailed(attempt.error ?? ''))
    },
    onError: complain,
    onSettled: onChanged,
  })
  const turn = useSubmit({
    mutationFn: (to: 'enable' | 'disable', submission) => api.post(`/webhooks/${id}/${to}`, {}, submission),
    onSuccess: (_answer, to) => say(to === 'enable' ? texts.turnedOn : texts.turnedOff),
    onError: complain,
    onSettled: onChanged,
  })
  return (
    <>
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        {texts.test}
      </Button>
      {status === 'disabled' && (
        <Button kind="primary" busy={turn.isPending} onClick={() => turn.mutate('enable')}>
          {texts.turnOn}
        </Button>
      )}
      <Menu
        trigger={
          <IconButton label={texts.more}>
            <MoreHorizontal className="size-5" aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => onAsk('edit')}>{common.edit}</MenuItem>
        <MenuItem onSelect={() => onAsk('rotate')}>{texts.rotate}</MenuItem>
        {status === 'enabled' && <MenuItem onSelect={() => turn.mutate('disable')}>{texts.turnOff}</MenuItem>}
        <MenuLine />
        <MenuItem danger onSelect={() => onAsk('remove')}>
          {texts.remove}
        </MenuItem>
      </Menu>
    </>
  )
}
