import { useEffect } from 'react'
import { AppealForm } from './appeal-form.tsx'
import { type Ban, banOf, useKeptBan } from './ban-of.ts'
import { useOwnAppeal } from './use-own-appeal.ts'

interface InvitedAppealProps {
  space: { readonly id: string; readonly name: string }
  /** Called with the details of the ban; with 'unknown' if they could not be read. */
  onBan: (ban: Ban) => void
}

/** The appeal on the page of an invite. Hidden for a user who is not banned. */
export function InvitedAppeal({ space, onBan }: InvitedAppealProps) {
  const own = useOwnAppeal(space.id)
  const ban = banOf(own.status)
  const isKnown = own.status.state !== 'loading'
  useKeptBan(space.id, ban)
  useEffect(() => {
    if (isKnown) onBan(ban)
  }, [isKnown, ban, onBan])
  return <AppealForm name={space.name} own={own} />
}
