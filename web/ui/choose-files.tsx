import { type ReactNode, useRef } from 'react'
import { Button, type ButtonProps } from './button.tsx'

interface ChooseFilesProps extends Omit<ButtonProps, 'onClick'> {
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** A button that lets somebody choose files from their disk. */
export function ChooseFiles({ onFiles, children, ...rest }: ChooseFilesProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // The same file may be chosen again.
          event.target.value = ''
        }}
      />
      <Button {...rest} onClick={() => input.current?.click()}>
        {children}
      </Button>
    </>
  )
}
