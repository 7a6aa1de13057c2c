import './count.css'

/** Beyond it nobody counts. */
const MOST = 99

/** How many there are, beside what it counts; `isCalling` when they wait for the reader. Nothing for none. */
export function Count({ count, isCalling = false }: { count: number; isCalling?: boolean }) {
  if (count === 0) return null
  return (
    <span className={isCalling ? 'count count-calling' : 'count'}>{count > MOST ? `${MOST}+` : count}</span>
  )
}
