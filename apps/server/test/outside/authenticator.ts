import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type {
  AddPasskeyBody,
  PasskeyCreationOptions,
  PasskeyLoginBody,
  PasskeyRequestOptions,
} from '@foyer/protocol/passkeys'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** Flags of authenticator data. */
const PRESENT = 0x01
const VERIFIED = 0x04
const BACKUP = 0x18
const HAS_KEY = 0x40
const COUNTER_BYTES = 4
/** COSE labels of the parts of a P-256 key, and their values. */
const COSE = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, EC2: 2, ES256: -7, P256: 1 }

/** Changes that a lying device or page makes. */
export interface Lies {
  origin?: string
  /** The host whose hash the device signs. */
  host?: string
  challenge?: string
  type?: string
  isVerified?: boolean
  counter?: number
  isBackedUp?: boolean
  userHandle?: string | undefined
  attestation?: { fmt: string; attStmt: Map<string, string> }
}

/** A device with one passkey. Does in software what browsers and security keys do. */
export class SoftwareAuthenticator {
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id: string
  /** Number of uses so far. Stays 0 for a device that does not count them. */
  counter = 0
  #userHandle = ''

  constructor(origin: string, id = randomBytes(32).toString('base64url')) {
    this.#origin = origin
    this.id = id
  }

  create(options: PasskeyCreationOptions, lies: Lies = {}): AddPasskeyBody['credential'] {
    this.#userHandle = options.user.id
    const { fmt, attStmt } = lies.attestation ?? { fmt: 'none', attStmt: new Map() }
    const fields = new Map<string, string | Map<string, string> | Uint8Array>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', this.#authenticatorData(lies.host ?? options.rp.id, lies, this.#attestedKey())],
    ])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, lies).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(fields)).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  use(options: PasskeyRequestOptions, lies: Lies = {}): PasskeyLoginBody['credential'] {
    const clientData = this.#clientData('webauthn.get', options.challenge, lies)
    const data = this.#authenticatorData(lies.host ?? options.rpId, lies)
    const signature = createSign('sha256').update(data).update(sha256(clientData)).sign(this.#keys.privateKey)
    const userHandle = 'userHandle' in lies ? lies.userHandle : this.#userHandle
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(userHandle !== undefined && { userHandle }),
      },
    }
  }

  #named() {
    return { id: this.id, rawId: this.id, type: 'public-key' } as const
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const signed = { type, challenge, origin: this.#origin, crossOrigin: false }
    return Buffer.from(
      JSON.stringify({
        ...signed,
        ...(lies.type !== undefined && { type: lies.type }),
        ...(lies.challenge !== undefined && { challenge: lies.challenge }),
        ...(lies.origin !== undefined && { origin: lies.origin }),
      }),
    )
  }

  #authenticatorData(host: string, lies: Lies, key: Buffer = Buffer.alloc(0)): Buffer {
    const { isVerified = true, isBackedUp = false, counter = this.counter } = lies
    const flags =
      PRESENT | (isVerified ? VERIFIED : 0) | (isBackedUp ? BACKUP : 0) | (key.length > 0 ? HAS_KEY : 0)
    const count = Buffer.alloc(COUNTER_BYTES)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(host), Buffer.of(flags), count, key])
  }

  #attestedKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array>([
      [COSE.kty, COSE.EC2],
      [COSE.alg, COSE.ES256],
      [COSE.crv, COSE.P256],
      [COSE.x, new Uint8Array(Buffer.from(x, 'base64url'))],
      [COSE.y, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const model = Buffer.alloc(16)
    return Buffer.concat([model, length, id, isoCBOR.encode(key)])
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
