import { classes } from './classes.ts'

interface ProblemProps {
  /** Why it was refused; nothing stands here where it was not. */
  children: string | null | undefined
  className?: string
}

/** Why something could not be done, read out when it appears. */
export function Problem({ children, className }: ProblemProps) {
  if (!children) return null
  return (
    <p role="alert" className={classes('text-bad', className)}>
      {children}
    </p>
  )
}
