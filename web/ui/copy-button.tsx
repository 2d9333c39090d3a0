import { Copy } from 'lucide-react'
import { Button } from './button.tsx'
import { useToasts } from './toast.tsx'

interface CopyButtonProps {
  text: string
  label: string
  /** Said once it is copied. */
  done: string
}

/** Not there where the browser lets no page copy: without https, away from localhost. */
export function CopyButton({ text, label, done }: CopyButtonProps) {
  const { say, complain } = useToasts()
  if (!navigator.clipboard) return null
  return (
    <Button small onClick={() => navigator.clipboard.writeText(text).then(() => say(done), complain)}>
      <Copy className="size-4" aria-hidden />
      {label}
    </Button>
  )
}
