import './operators.css'

interface MarkProps {
  /** True for locks and the like, which keep an account or a space from being used. */
  isStop?: boolean
  children: string
}

/** A word next to a name. */
export function Mark({ isStop = false, children }: MarkProps) {
  return (
    <span className="operator-mark" data-stop={isStop || undefined}>
      {children}
    </span>
  )
}
