import { type DragEvent, type ReactNode, useState } from 'react'
import { classes } from './classes.ts'

interface DropZoneProps {
  /** Absent where nothing may be added. */
  onFiles: ((files: File[]) => void) | null
  className?: string
  children: (over: boolean) => ReactNode
}

/** A place that files may be dropped onto. */
export function DropZone({ onFiles, className, children }: DropZoneProps) {
  // Going into a child is told as leaving, so goings in and out are counted.
  const [depth, setDepth] = useState(0)
  if (!onFiles) return <div className={className}>{children(false)}</div>
  const held = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const over = depth > 0
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same by keyboard
    <div
      className={classes(className, over && 'outline-2 outline-offset-2 outline-action outline-dashed')}
      onDragEnter={(event) => held(event) && setDepth((d) => d + 1)}
      onDragLeave={(event) => held(event) && setDepth((d) => Math.max(0, d - 1))}
      onDragOver={(event) => {
        if (!held(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
      }}
      onDrop={(event) => {
        if (!held(event)) return
        event.preventDefault()
        setDepth(0)
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children(over)}
    </div>
  )
}
