import { useState } from 'react'
import { signIn as texts } from '../texts/en/sign-in.ts'
import { Checkbox, Field, TextInput } from '../ui/field.tsx'

interface NewPasswordFieldProps {
  label?: string
  value: string
  onChange: (value: string) => void
  error?: string | null
  autoFocus?: boolean
}

/** A password that is being chosen: it can be looked at, so it need not be typed twice. */
export function NewPasswordField({ label, value, onChange, error, autoFocus }: NewPasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <div>
      <Field label={label ?? texts.newPassword} hint={texts.newPasswordHint} error={error}>
        <TextInput
          type={shown ? 'text' : 'password'}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          autoComplete="new-password"
          minLength={10}
          maxLength={256}
          autoFocus={autoFocus}
          required
        />
      </Field>
      <Checkbox
        className="pt-1 text-[0.93rem]"
        label={texts.show}
        checked={shown}
        onChange={(event) => setShown(event.target.checked)}
      />
    </div>
  )
}
