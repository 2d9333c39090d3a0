import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import { useToasts } from './toast.tsx'

interface CopyButtonProps {
  text: string
  label: string
  /** Said in its place once it is copied: a message would lie over what is shown only once. */
  done: string
  small?: boolean
}

/** Not there where the browser lets no page copy: without https, away from localhost. */
export function CopyButton({ text, label, done, small = true }: CopyButtonProps) {
  const { complain } = useToasts()
  const [copied, setCopied] = useState<string | null>(null)
  if (!navigator.clipboard) return null
  return (
    <Button
      small={small}
      onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(text), complain)}
    >
      {copied === text ? <Check className="size-4" aria-hidden /> : <Copy className="size-4" aria-hidden />}
      <span aria-live="polite">{copied === text ? done : label}</span>
    </Button>
  )
}
