import './wordmark.css'

/** The logo, an open door with light behind it, and the name. */
export function Wordmark({ size = 'md' }: { size?: 'md' | 'lg' }) {
  return (
    <span className={`wordmark wordmark-${size}`}>
      <DoorMark />
      Foyer
    </span>
  )
}

export function DoorMark() {
  return (
    <svg className="door-mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect className="door-wall" width="32" height="32" rx="9" />
      <path className="door-light" d="M8.5 26V14.5a7.5 7.5 0 0 1 15 0V26z" />
      <path className="door-leaf" d="M16 7v19h7.5V14.5A7.5 7.5 0 0 0 16 7z" />
      <circle className="door-wall" cx="13.4" cy="17.8" r="1.3" />
    </svg>
  )
}
