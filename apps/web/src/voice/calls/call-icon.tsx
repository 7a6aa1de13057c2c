import type { CallRecord } from '@foyer/protocol/voice'
import { Phone, PhoneMissed } from 'lucide-react'
import { useAppState } from '#src/session/context.ts'
import { callSummary } from './words.ts'

/** Icon of a call's message. */
export function CallIcon({ call, className }: { call: CallRecord; className: string }) {
  const isMissed = useAppState(({ me }) => callSummary(call, me?.id ?? '').outcome === 'missed')
  const Icon = isMissed ? PhoneMissed : Phone
  return <Icon className={className} data-missed={isMissed || undefined} aria-hidden="true" />
}
