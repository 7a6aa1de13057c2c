import type { Instance } from '@foyer/protocol/instance'

// Keeps passkey support and the offer to add a passkey in one module: each further chunk adds its file name to the first load.

const KEY = 'foyer.passkey-offer'

/** Returns true if passkeys work in this browser and at this page's origin. */
export function mayUsePasskeys(instance: Instance | null | undefined): boolean {
  return 'PublicKeyCredential' in window && instance?.passkey_origin === window.location.origin
}

/** Schedules the offer of a passkey after a login by password. It is made once in this browser. */
export function makeOfferDue(storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  if (storage.getItem(KEY) === null) storage.setItem(KEY, 'due')
}

export function isOfferDue(storage: Pick<Storage, 'getItem'>): boolean {
  return storage.getItem(KEY) === 'due'
}

/** Remembers that the user has answered the offer, so that this browser does not make it again. */
export function answerOffer(storage: Pick<Storage, 'setItem'>): void {
  storage.setItem(KEY, 'answered')
}
