import './count.css'

/** Larger counts are shown as this number and a plus. */
const MOST = 99

/** Number badge. `isCalling` highlights it if it needs the user's attention. Renders nothing for 0. */
export function Count({ count, isCalling = false }: { count: number; isCalling?: boolean }) {
  if (count === 0) return null
  return (
    <span className={isCalling ? 'count count-calling' : 'count'}>{count > MOST ? `${MOST}+` : count}</span>
  )
}
