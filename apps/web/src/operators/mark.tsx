import './operators.css'

interface MarkProps {
  /** True for a mark, such as a lock, that prevents an account or a space from being used. */
  isStop?: boolean
  children: string
}

/** A badge next to the name of an account or a space. */
export function Mark({ isStop = false, children }: MarkProps) {
  return (
    <span className="operator-mark" data-stop={isStop || undefined}>
      {children}
    </span>
  )
}
