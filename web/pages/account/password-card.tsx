import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { auth } from '../../api/client.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { NewPasswordField } from '../../session/new-password-field.tsx'
import { problemOf } from '../../session/problem.ts'
import { account as texts } from '../../texts/en/account.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { useToasts } from '../../ui/toast.tsx'

export function PasswordCard() {
  const client = useQueryClient()
  const { say } = useToasts()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useSubmit({
    mutationFn: async () => {
      await auth('/change-password', { currentPassword, newPassword })
    },
    onSuccess: () => {
      say(texts.passwordChanged)
      setCurrent('')
      setNew('')
      void client.invalidateQueries({ queryKey: ['account'] })
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    change.mutate()
  }

  return (
    <Card className="pb-5">
      <CardHeader title={texts.password}>{texts.passwordNote}</CardHeader>
      <form onSubmit={submit} className="flex flex-col gap-4 px-5">
        <Field label={texts.currentPassword} error={change.error && problemOf(change.error)}>
          <TextInput
            type="password"
            value={currentPassword}
            onChange={(event) => setCurrent(event.target.value)}
            autoComplete="current-password"
            required
          />
        </Field>
        <NewPasswordField value={newPassword} onChange={setNew} />
        <Button type="submit" busy={change.isPending} className="self-start">
          {texts.changePassword}
        </Button>
      </form>
    </Card>
  )
}
