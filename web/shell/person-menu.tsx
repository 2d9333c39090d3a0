import { Link } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { api, auth } from '../api/client.ts'
import { useWaitingApprovals } from '../approvals/use-approvals.ts'
import { useSession } from '../session/session.tsx'
import { common } from '../texts/en/common.ts'
import { shell as texts } from '../texts/en/shell.ts'
import { signIn } from '../texts/en/sign-in.ts'
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx'
import { Avatar } from '../ui/surface.tsx'
import { useToasts } from '../ui/toast.tsx'
import { chooseTheme, chosenTheme, type Theme } from './theme.ts'

/** Who one is, for which company, and how it looks. */
export function PersonMenu() {
  const session = useSession()
  const { complain } = useToasts()
  const waiting = useWaitingApprovals()
  const [theme, setTheme] = useState<Theme>(chosenTheme)

  async function switchTo(memberId: string) {
    try {
      await api.post('/session/company', { memberId })
      // Everything again: nothing of the other company stays in the page.
      location.assign('/')
    } catch (error) {
      complain(error)
    }
  }

  async function signOut() {
    try {
      await auth('/sign-out', {})
      location.assign('/sign-in')
    } catch (error) {
      complain(error)
    }
  }

  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex min-h-14 w-16 items-center justify-center gap-3 rounded-lg text-left focus-visible:outline-sun sm:w-full sm:justify-start sm:px-2 sm:hover:bg-white/8"
        >
          <span className="sr-only">{texts.account}</span>
          <Avatar name={session.person.name} />
          <span className="hidden min-w-0 flex-1 sm:block">
            <span className="block truncate font-medium">{session.person.name}</span>
            <span className="block truncate text-[0.8rem] text-brand-ink/80">{session.company.name}</span>
          </span>
          <ChevronsUpDown className="hidden size-4 sm:block" aria-hidden />
        </button>
      }
    >
      <MenuLabel>
        {session.person.name}, {common.roles[session.role]}
      </MenuLabel>
      <MenuItem asChild>
        <Link to="/account">{texts.account}</Link>
      </MenuItem>
      <MenuItem asChild>
        <Link to="/monitoring">{texts.monitoring}</Link>
      </MenuItem>
      {session.can.runCompany && (
        <MenuItem asChild>
          <Link to="/billing">{texts.billing}</Link>
        </MenuItem>
      )}
      {session.can.approve && (
        <MenuItem asChild>
          <Link to="/approvals">
            {texts.approvals}
            {waiting > 0 && ` (${waiting > 99 ? '99+' : waiting})`}
          </Link>
        </MenuItem>
      )}
      {session.can.settings && (
        <MenuItem asChild>
          <Link to="/settings">{texts.settings}</Link>
        </MenuItem>
      )}
      {session.choices.length > 1 && (
        <>
          <MenuLine />
          <MenuLabel>{texts.switchTo}</MenuLabel>
          {session.choices.map(({ memberId, companyName }) => (
            <MenuItem
              key={memberId}
              current={memberId === session.memberId}
              onSelect={() => switchTo(memberId)}
            >
              {companyName}
            </MenuItem>
          ))}
        </>
      )}
      <MenuLine />
      <MenuLabel>{texts.theme}</MenuLabel>
      {(['system', 'light', 'dark'] as const).map((one) => (
        <MenuItem
          key={one}
          current={one === theme}
          onSelect={() => {
            chooseTheme(one)
            setTheme(one)
          }}
        >
          {texts.themes[one]}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem asChild>
        <a href="/docs">{texts.reference}</a>
      </MenuItem>
      <MenuItem onSelect={signOut}>{signIn.signOut}</MenuItem>
    </Menu>
  )
}
