import { Suspense, useState } from 'react'
import { answerOffer, isOfferDue } from '#src/auth/passkeys/place.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'

const OfferNote = lazyComponent(
  () => import('./offer-note.tsx').then((module) => module.OfferNote),
  () => null,
)

/** Offers a passkey once, after a login by password to an account that has none. */
export function PasskeyOffer() {
  const [isDue, setIsDue] = useState(() => isOfferDue(window.localStorage))
  if (!isDue) return null

  function answer() {
    answerOffer(window.localStorage)
    setIsDue(false)
  }

  return (
    <Suspense>
      <OfferNote onAnswer={answer} />
    </Suspense>
  )
}
