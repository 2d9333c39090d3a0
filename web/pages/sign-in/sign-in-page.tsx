import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { enter } from '../../session/enter.ts'
import { SignInForm } from '../../session/sign-in-form.tsx'
import { Entrance } from '../../shell/entrance.tsx'
import { signIn as texts } from '../../texts/en/sign-in.ts'

export function SignInPage() {
  const { to } = useSearch({ from: '/sign-in' })
  const client = useQueryClient()
  const navigate = useNavigate()

  return (
    <Entrance title={texts.title}>
      <SignInForm
        onDone={async () => {
          await enter(client)
          await navigate({ href: to ?? '/', replace: true })
        }}
      />
      <p className="pt-4 text-center">
        <Link to="/forgot-password" className="text-action hover:underline">
          {texts.forgot}
        </Link>
      </p>
    </Entrance>
  )
}
