import type { Outcome } from './phases.ts'

const MAX_SLOWER = 3
/** Maximum growth of the server's memory. Includes the 256 MiB of request bodies that the server may hold. */
const MAX_GROWTH_MIB = 400

/** Returns the p99 of sending during the attack, divided by the p99 before the attack. */
export function slowdown({ calm, attack }: Outcome): number {
  return (attack.send_p99_ms ?? 0) / (calm.send_p99_ms ?? 1)
}

/** Returns how far the server's peak memory rose above the peak before the attack. */
export function growthMib({ calm, attack, recovery }: Outcome): number {
  return Math.max(attack.server_peak_mib ?? 0, recovery.server_peak_mib ?? 0) - (calm.server_peak_mib ?? 0)
}

/** Counts the refusals, failures and lost deliveries of ordinary users, during and after the attack. */
export function refusals({ attack, recovery }: Outcome): number {
  const count = (name: string) => (attack[name] ?? 0) + (recovery[name] ?? 0)
  return (
    count('answers_503') + count('answers_429') + count('failures') + count('undelivered') + count('cut_off')
  )
}

/** Describes the goals that the server missed. */
export function missedGoals(outcome: Outcome): string[] {
  const is = {
    [`sending took ${slowdown(outcome).toFixed(1)} times as long`]: slowdown(outcome) > MAX_SLOWER,
    [`${refusals(outcome)} refusals and failures`]: refusals(outcome) > 0,
    [`memory grew by ${Math.round(growthMib(outcome))} MiB`]: growthMib(outcome) > MAX_GROWTH_MIB,
  }
  return Object.entries(is).flatMap(([what, isSo]) => (isSo ? [what] : []))
}
