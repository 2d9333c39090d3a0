import { useState } from 'react'
import { chooseTheme, chosenTheme, type Theme } from '../../shell/theme.ts'
import { account as texts } from '../../texts/en/account.ts'
import { shell } from '../../texts/en/shell.ts'
import { Card, CardHeader } from '../../ui/surface.tsx'
import { Segments } from '../../ui/tabs.tsx'

const themes: readonly Theme[] = ['system', 'light', 'dark']

export function ThemeCard() {
  const [theme, setTheme] = useState(chosenTheme)
  return (
    <Card className="pb-5">
      <CardHeader title={texts.theme} />
      <div className="px-5">
        <Segments
          label={texts.theme}
          options={themes.map((value) => ({ value, label: shell.themes[value] }))}
          value={theme}
          onChange={(next) => {
            chooseTheme(next)
            setTheme(next)
          }}
        />
      </div>
    </Card>
  )
}
