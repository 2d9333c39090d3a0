import { Copy } from 'lucide-react'
import { account as texts } from '../../texts/en/account.ts'
import { Button } from '../../ui/button.tsx'
import { useToasts } from '../../ui/toast.tsx'

/** Not there where the browser lets no page copy: without https, away from localhost. */
export function CopyButton({ text }: { text: string }) {
  const { say, complain } = useToasts()
  if (!navigator.clipboard) return null
  return (
    <Button onClick={() => navigator.clipboard.writeText(text).then(() => say(texts.copied), complain)}>
      <Copy className="size-4" aria-hidden />
      {texts.copy}
    </Button>
  )
}
