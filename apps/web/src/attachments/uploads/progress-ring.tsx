import './progress-ring.css'

interface ProgressRingProps {
  label: string
  /** From 0 to 1; null before it has started. */
  fraction: number | null
}

/** A progress bar in the shape of a ring. */
export function ProgressRing({ label, fraction }: ProgressRingProps) {
  const percent = Math.round((fraction ?? 0) * 100)
  return (
    <span
      className="progress-ring"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={fraction === null ? undefined : percent}
      data-waiting={fraction === null || undefined}
    >
      <svg viewBox="0 0 36 36" aria-hidden="true">
        <circle className="progress-ring-track" cx="18" cy="18" r="14" pathLength="100" />
        <circle
          className="progress-ring-done"
          cx="18"
          cy="18"
          r="14"
          pathLength="100"
          strokeDasharray={`${fraction === null ? 20 : percent} 100`}
        />
      </svg>
    </span>
  )
}
