import './operators.css'

interface MarkProps {
  /** For what keeps an account or a space from being used. */
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
