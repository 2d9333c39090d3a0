import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { api, auth } from '../../api/client.ts'
import { enter } from '../../session/enter.ts'
import { NewPasswordField } from '../../session/new-password-field.tsx'
import { problemOf } from '../../session/problem.ts'
import { Entrance } from '../../shell/entrance.tsx'
import { setUp as texts } from '../../texts/en/set-up.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select, TextInput } from '../../ui/field.tsx'

const zones = Intl.supportedValuesOf('timeZone')
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The first run: the first company and its owner, who is signed in at once. */
export function SetUpPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [first, setFirst] = useState({
    code: '',
    company: '',
    timezone: ownZone,
    name: '',
    email: '',
    password: '',
  })
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // The company is made once: where only the signing in fails, only that is tried again.
  const [made, setMade] = useState(false)
  const set = (field: keyof typeof first) => (event: { target: { value: string } }) =>
    setFirst({ ...first, [field]: event.target.value })

  async function begin() {
    if (!made) await api.post('/set-up', first, { quiet: true })
    setMade(true)
    await auth('/sign-in/email', { email: first.email, password: first.password })
    await enter(client)
    await navigate({ to: '/', replace: true })
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    await begin().catch((problem) => setError(problemOf(problem)))
    setBusy(false)
  }

  return (
    <Entrance title={texts.title} note={texts.note}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={texts.code} hint={texts.codeHint}>
          <TextInput
            value={first.code}
            onChange={set('code')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={100}
            className="font-mono"
            autoFocus
            required
          />
        </Field>
        <Field label={texts.company} hint={texts.companyHint}>
          <TextInput
            value={first.company}
            onChange={set('company')}
            autoComplete="organization"
            maxLength={200}
            required
          />
        </Field>
        <Field label={texts.timezone} hint={texts.timezoneHint}>
          <Select value={first.timezone} onChange={set('timezone')}>
            {(zones.includes(ownZone) ? zones : [ownZone, ...zones]).map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={texts.you}>
          <TextInput value={first.name} onChange={set('name')} autoComplete="name" maxLength={200} required />
        </Field>
        <Field label={texts.email}>
          <TextInput
            type="email"
            value={first.email}
            onChange={set('email')}
            autoComplete="username"
            required
          />
        </Field>
        <NewPasswordField
          label={texts.password}
          value={first.password}
          onChange={(password) => setFirst({ ...first, password })}
        />
        {error && (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
            {error}
          </p>
        )}
        <Button kind="primary" type="submit" busy={busy}>
          {texts.submit}
        </Button>
      </form>
    </Entrance>
  )
}
