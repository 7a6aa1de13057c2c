import { PASSKEY_CHALLENGE_SECONDS } from '@foyer/protocol/limits'
import type {
  AddPasskeyBody,
  PasskeyCreationOptions,
  PasskeyLoginBody,
  PasskeyRequestOptions,
} from '@foyer/protocol/passkeys'
import { Passkeys } from '@foyer/sdk/api/passkeys'
import type { Client } from '@foyer/sdk/client'
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'

type UsedCredential = PasskeyLoginBody['credential']

/** Errors of browsers when the user closes the dialog or does not answer it, or the page ends it. */
const CANCELLED = ['NotAllowedError', 'AbortError']
/** Time for which passkeys are suggested. It is less than the time for which the server accepts an answer. */
const OFFER_MS = (PASSKEY_CHALLENGE_SECONDS - 60) * 1000

/** `known`: the device has a passkey of the account. `unfit`: the device cannot verify the user, or store a passkey. */
export type Failure = 'cancelled' | 'known' | 'unfit'

const FAILURES: Readonly<Record<string, Failure>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'known',
  ConstraintError: 'unfit',
  NotSupportedError: 'unfit',
}

/** Lets the user make a passkey. */
export async function makeCredential(
  options: PasskeyCreationOptions,
): Promise<AddPasskeyBody['credential'] | Failure> {
  try {
    const { id, rawId, response } = await startRegistration({ optionsJSON: options })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject, transports } }
  } catch (error) {
    const failure = FAILURES[nameOf(error)]
    if (failure === undefined) throw error
    return failure
  }
}

/** Lets the user choose a passkey in a dialog. @returns null if the user closes the dialog */
export async function chooseCredential(client: Client): Promise<UsedCredential | null> {
  return takeCredential(await client.api(Passkeys).prepareLogin())
}

/**
 * Offers passkeys in the browser's suggestions for the username field, until the user takes one.
 * @returns null when the signal or another dialog ends the offer, and in browsers that do not support it
 */
export async function offerCredentials(client: Client, signal: AbortSignal): Promise<UsedCredential | null> {
  if (!(await browserSupportsWebAuthnAutofill())) return null
  while (!signal.aborted) {
    const options = await client.api(Passkeys).prepareLogin({ signal })
    const end = AbortSignal.timeout(OFFER_MS)
    const credential = await takeCredential(options, AbortSignal.any([signal, end]))
    if (credential !== null || !end.aborted) return credential
  }
  return null
}

/**
 * Asks for a passkey.
 * @param offer aborts the suggestions in a field; without it, the browser shows a dialog
 * @returns null if the user closes the dialog
 */
export async function takeCredential(
  options: PasskeyRequestOptions,
  offer?: AbortSignal,
): Promise<UsedCredential | null> {
  if (offer?.aborted) return null
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  offer?.addEventListener('abort', cancel)
  try {
    const used = await startAuthentication({ optionsJSON: options, useBrowserAutofill: offer !== undefined })
    const { clientDataJSON, authenticatorData, signature, userHandle = null } = used.response
    const response = { clientDataJSON, authenticatorData, signature, userHandle }
    return { id: used.id, rawId: used.rawId, type: 'public-key', response }
  } catch (error) {
    if (CANCELLED.includes(nameOf(error))) return null
    throw error
  } finally {
    offer?.removeEventListener('abort', cancel)
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
