import { ApiError } from '../../errors.ts'
import type { FreeDisk } from '../../storage/free-disk.ts'
import type { TempFolder } from '../../temp-folder.ts'

const GIB = 1024 ** 3
/**
 * Limits for multipart bodies (forms), in total and per sender: slow uploads must not use up memory or disk, and no sender
 * may use all of it.
 */
const MAX_FORMS = 512
const MAX_FORMS_OF_ONE = 128
const MAX_BYTES = 4 * GIB
const MAX_BYTES_OF_ONE = 1.5 * GIB

interface Use {
  forms: number
  bytes: number
}

declare module 'fastify' {
  interface FastifyInstance {
    formSpace: FormSpace
  }
}

/** The disk space for the multipart bodies (forms) that a server is processing. */
export class FormSpace {
  readonly folder: TempFolder
  readonly used: Use = { forms: 0, bytes: 0 }
  readonly #disk: FreeDisk | undefined
  readonly #bySender = new Map<string, Use>()

  /** @param disk the disk of the folder; undefined checks nothing */
  constructor(folder: TempFolder, disk?: FreeDisk) {
    this.folder = folder
    this.#disk = disk
  }

  /** @throws ApiError 507 if the disk has too little space for a form of this size */
  async checkDisk(sizeBytes: number): Promise<void> {
    await this.#disk?.check(sizeBytes)
  }

  /** @throws ApiError 503 while there are too many forms */
  enter(sender: string): FormSlot {
    const own = this.#bySender.get(sender) ?? { forms: 0, bytes: 0 }
    if (this.used.forms >= MAX_FORMS || own.forms >= MAX_FORMS_OF_ONE) throw new ApiError('unavailable')
    this.#bySender.set(sender, own)
    this.#change(own, { forms: 1, bytes: 0 })
    let held = 0
    return {
      grow: (bytes) => {
        held += bytes
        this.#change(own, { forms: 0, bytes })
        return this.used.bytes <= MAX_BYTES && own.bytes <= MAX_BYTES_OF_ONE
      },
      leave: () => {
        this.#change(own, { forms: -1, bytes: -held })
        if (own.forms === 0) this.#bySender.delete(sender)
      },
    }
  }

  #change(own: Use, by: Use): void {
    for (const use of [this.used, own]) {
      use.forms += by.forms
      use.bytes += by.bytes
    }
  }
}

/** The share of one form. */
export interface FormSlot {
  /** Returns whether there is room for this many more bytes. */
  grow(bytes: number): boolean
  leave(): void
}
