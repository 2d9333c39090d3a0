import { useSearch } from '@tanstack/react-router'
import { signIn as texts } from '../../texts/en/sign-in.ts'
import { formatTime } from '../../ui/format.ts'
import { ChoosePassword } from './choose-password.tsx'

export function ResetPasswordPage() {
  const { token = '' } = useSearch({ from: '/reset-password' })
  return (
    <ChoosePassword
      token={token}
      title={() => texts.resetTitle}
      note={({ email, expiresAt }) => `${texts.resetNote(email)} ${texts.linkUntil(formatTime(expiresAt))}`}
      submit={texts.resetSubmit}
      dead={{ note: texts.resetDead, again: true }}
    />
  )
}
