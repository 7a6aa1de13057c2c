import { findExtension } from '../header-extensions.ts'
import type { PicturePublisher } from './picture-publisher.ts'

/** A layer that a packet names. */
export interface NamedLayer {
  readonly picture: PicturePublisher
  readonly rid: string
  /** True for an RTX packet. */
  readonly isRepair: boolean
}

/**
 * Finds the layer of an SSRC by the header extensions of a packet: RFC 8852. Senders write these extensions until a receiver has
 * reported on the SSRC.
 */
export class LayerSources {
  readonly #pictures: readonly PicturePublisher[]

  constructor(pictures: readonly PicturePublisher[]) {
    this.#pictures = pictures.filter(({ line }) => line.layers.length > 0)
  }

  /** Returns whether the packet's payload type is one of a layer. Audio has other payload types. */
  areOf(received: Buffer): boolean {
    const type = (received[1] ?? 0) & 127
    return this.#pictures.some(({ line: { codecs } }) =>
      codecs.some(({ payloadType, repairType }) => type === payloadType || type === repairType),
    )
  }

  /** Returns the layer that the packet names; undefined if it names none. */
  layerOf(received: Buffer): NamedLayer | undefined {
    const type = (received[1] ?? 0) & 127
    for (const picture of this.#pictures) {
      const { mid, extensions, codecs } = picture.line
      if (textOf(received, extensions.mid) !== mid) continue
      const isRepair = codecs.some(({ repairType }) => type === repairType)
      const rid = textOf(received, isRepair ? extensions.repairedRid : extensions.rid)
      return rid === undefined ? undefined : { picture, rid, isRepair }
    }
    return undefined
  }
}

function textOf(received: Buffer, id: number | undefined): string | undefined {
  return id === undefined ? undefined : findExtension(received, id)?.toString('latin1')
}
