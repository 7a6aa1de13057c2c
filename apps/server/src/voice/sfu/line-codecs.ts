import { type PictureCodec, pictureCodecs } from '@foyer/protocol/voice'
import { attributes, payloadTypesOf } from './sdp-rows.ts'

/** A codec of an m-line for pictures. */
export interface LineCodec {
  readonly name: PictureCodec
  readonly payloadType: number
  /** Payload type of its RTX (RFC 4588); undefined without RTX. */
  readonly repairType: number | undefined
}

type Parameters = ReadonlyMap<string, string>

/** A codec's profile that all browsers share: which offered parameters (a=fmtp) are of it, and those of the answer. */
interface Profile {
  readonly isOffered: (offered: Parameters) => boolean
  readonly answered: string | undefined
}

const PROFILES: Readonly<Record<PictureCodec, Profile>> = {
  VP8: { isOffered: () => true, answered: undefined },
  VP9: { isOffered: (offered) => isZero(offered.get('profile-id')), answered: 'profile-id=0' },
  // Constrained Baseline, with several packets for each frame.
  H264: {
    isOffered: (offered) =>
      offered.get('packetization-mode') === '1' && /^42e0/i.test(offered.get('profile-level-id') ?? ''),
    answered: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  },
  AV1: {
    isOffered: (offered) => isZero(offered.get('profile')),
    answered: 'level-idx=5;profile=0;tier=0',
  },
}

/**
 * Returns the codecs of an m-line that are forwarded, VP8 first: senders use the first one until they are told others. Without
 * VP8 there are none, because it is what all clients have in common.
 */
export function readCodecs(rows: readonly string[]): LineCodec[] {
  const repairs = payloadTypesOf(rows, 'rtx/90000')
  const taken = new Set<number>()
  const codecs = pictureCodecs.flatMap((name) => {
    const offered = payloadTypesOf(rows, `${name}/90000`).filter(
      (type) => !taken.has(type) && PROFILES[name].isOffered(parametersOf(rows, type)),
    )
    const [payloadType] = offered
    if (payloadType === undefined) return []
    const repairType = repairs.find((type) => !taken.has(type) && repairsType(rows, type, payloadType))
    taken.add(payloadType)
    if (repairType !== undefined) taken.add(repairType)
    return [{ name, payloadType, repairType }]
  })
  return codecs[0]?.name === 'VP8' ? codecs : []
}

/** Returns the rows of the answer for a codec and its RTX. */
export function codecRows(
  { name, payloadType, repairType }: LineCodec,
  feedback: readonly string[],
): string[] {
  const { answered } = PROFILES[name]
  return [
    `a=rtpmap:${payloadType} ${name}/90000`,
    ...(answered === undefined ? [] : [`a=fmtp:${payloadType} ${answered}`]),
    ...feedback.map((kind) => `a=rtcp-fb:${payloadType} ${kind}`),
    ...(repairType === undefined
      ? []
      : [`a=rtpmap:${repairType} rtx/90000`, `a=fmtp:${repairType} apt=${payloadType}`]),
  ]
}

function repairsType(rows: readonly string[], type: number, repaired: number): boolean {
  return type !== repaired && parametersOf(rows, type).get('apt') === String(repaired)
}

/** Returns the parameters of a payload type, like `profile-id=0;...`. */
function parametersOf(rows: readonly string[], type: number): Parameters {
  const start = `${type} `
  const values = attributes(rows, 'fmtp').flatMap((value) =>
    value.startsWith(start) ? value.slice(start.length).split(';') : [],
  )
  return new Map(
    values.map((value) => {
      const [name = '', text = ''] = value.trim().split('=', 2)
      return [name, text] as const
    }),
  )
}

/** Returns whether a parameter has its default. */
function isZero(value = '0'): boolean {
  return value === '0'
}
