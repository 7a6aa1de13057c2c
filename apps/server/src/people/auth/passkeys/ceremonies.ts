import { randomBytes } from 'node:crypto'
import { PASSKEY_CHALLENGE_SECONDS } from '@foyer/protocol/limits'
import type {
  AddPasskeyBody,
  PasskeyCreationOptions,
  PasskeyLoginBody,
  PasskeyRequestOptions,
} from '@foyer/protocol/passkeys'
import type { PasskeySite } from './site.ts'

/** The algorithms that browsers and devices support, by their COSE numbers. */
const ALGORITHMS = Object.values({ EdDSA: -8, ES256: -7, RS256: -257 })
const TIMEOUT_MS = PASSKEY_CHALLENGE_SECONDS * 1000

type CreatedCredential = AddPasskeyBody['credential']
type UsedCredential = PasskeyLoginBody['credential']

/** The account as browsers show it, and as its passkeys store it. */
export interface Owner {
  /** Result of `handleOf`. */
  handle: string
  username: string
  displayName: string
}

export function newChallenge(): Buffer {
  return randomBytes(32)
}

/** Returns the handle by which passkeys identify their account. It reveals nothing about the person. */
export function handleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

export function creationOptions(
  { site, siteName, owner }: { site: PasskeySite; siteName: string; owner: Owner },
  challenge: Buffer,
  known: readonly { credential_id: Buffer; transports: string[] }[],
): PasskeyCreationOptions {
  return {
    challenge: challenge.toString('base64url'),
    rp: { id: site.host, name: siteName },
    user: { id: owner.handle, name: owner.username, displayName: owner.displayName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      ...{ id: credential_id.toString('base64url'), type: 'public-key', transports },
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/**
 * Returns the options with which a browser uses any passkey of the site. They list no passkeys, because a list would
 * reveal which accounts exist.
 */
export function requestOptions(site: PasskeySite, challenge: Buffer): PasskeyRequestOptions {
  return {
    challenge: challenge.toString('base64url'),
    rpId: site.host,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  }
}

/** Returns the challenge that the device signed, or undefined for data that cannot be read. */
export function challengeIn({ response }: CreatedCredential | UsedCredential): Buffer | undefined {
  try {
    const { challenge }: { challenge?: unknown } = JSON.parse(
      Buffer.from(response.clientDataJSON, 'base64url').toString(),
    )
    return typeof challenge === 'string' ? Buffer.from(challenge, 'base64url') : undefined
  } catch {
    return undefined
  }
}

/** The verified data of a new passkey. */
export interface Creation {
  credentialId: Buffer
  publicKey: Uint8Array
  counter: number
  isBackedUp: boolean
}

/** @returns undefined for a credential of another challenge, page or host, or without verification of the person */
export async function checkCreation(
  site: PasskeySite,
  challenge: Buffer,
  { response, ...credential }: CreatedCredential,
): Promise<Creation | undefined> {
  const { clientDataJSON, attestationObject } = response
  const { verifyRegistrationResponse } = await loadLibrary()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, attestationObject: await withoutAttestation(attestationObject) },
        clientExtensionResults: {},
      },
      ...expected(site, challenge),
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (registrationInfo === undefined) return undefined
    const { id, publicKey, counter } = registrationInfo.credential
    const isBackedUp = registrationInfo.credentialBackedUp
    // The signed id is the one by which the passkey will log in.
    if (id !== credential.id) return undefined
    return { credentialId: Buffer.from(id, 'base64url'), publicKey, counter, isBackedUp }
  } catch {
    return undefined
  }
}

/** @returns undefined in the cases of `checkCreation`, and for a wrong signature */
export async function checkUse(
  site: PasskeySite,
  challenge: Buffer,
  { response, ...credential }: UsedCredential,
  publicKey: Buffer,
): Promise<{ counter: number; isBackedUp: boolean } | undefined> {
  const { clientDataJSON, authenticatorData, signature } = response
  const { verifyAuthenticationResponse } = await loadLibrary()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      ...expected(site, challenge),
      // The stored counter is compared when it is updated, so that only one of two simultaneous uses succeeds.
      credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return undefined
  }
}

/** Imports the library when the first passkey is used: it takes 30 MB of memory, and many servers do not need it. */
function loadLibrary() {
  return import('@simplewebauthn/server')
}

function expected(site: PasskeySite, challenge: Buffer) {
  return {
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
  }
}

/**
 * Removes the attestation, which names the maker of the device. It is not needed, and verifying some kinds would fetch
 * URLs from a certificate chosen by the sender.
 */
async function withoutAttestation(attestationObject: string): Promise<string> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers')
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('authData')
  const fields = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(fields))
}
