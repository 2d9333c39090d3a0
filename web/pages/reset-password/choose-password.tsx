import { Link } from '@tanstack/react-router'
import type { PasswordLinkResponse } from '../../../src/api/console/set-up.ts'
import { auth } from '../../api/client.ts'
import { ChoosePasswordForm } from '../../session/choose-password-form.tsx'
import { useMailedLink } from '../../session/use-mailed-link.ts'
import { Entrance } from '../../shell/entrance.tsx'
import { signIn as texts } from '../../texts/en/sign-in.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded, LoadingRows } from '../../ui/states.tsx'

interface ChoosePasswordProps {
  token: string
  title: (link: PasswordLinkResponse) => string
  note: (link: PasswordLinkResponse) => string
  submit: string
  /** Said where the link does not work any more. */
  dead: { note: string; again: boolean }
}

/** Behind a link that came by mail: the person chooses a password and is signed in. */
export function ChoosePassword({ token, title, note, submit, dead }: ChoosePasswordProps) {
  const query = useMailedLink<PasswordLinkResponse>('/password-link', token)
  return (
    <Loaded
      query={query}
      loading={
        <Entrance title={texts.resetTitle}>
          <LoadingRows rows={2} />
        </Entrance>
      }
    >
      {(link) =>
        link ? (
          <Entrance title={title(link)} note={note(link)}>
            <ChoosePasswordForm
              email={link.email}
              submit={submit}
              save={(newPassword) => auth('/reset-password', { newPassword, token })}
            />
          </Entrance>
        ) : (
          <Entrance title={texts.linkDead} note={dead.note}>
            <Link to={dead.again ? '/forgot-password' : '/sign-in'} className={buttonClass('primary')}>
              {dead.again ? texts.newLink : texts.back}
            </Link>
          </Entrance>
        )
      }
    </Loaded>
  )
}
