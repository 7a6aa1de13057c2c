/** The user's own camera or screen. */
export interface OwnPictureView {
  readonly phase: 'off' | 'opening' | 'on'
  /** Null unless the phase is `on`. */
  readonly track: MediaStreamTrack | null
}

export const NO_PICTURE: OwnPictureView = { phase: 'off', track: null }

interface OwnPictureParts<Source> {
  /** The tracks of a source, its picture first. */
  readonly tracksOf: (source: Source) => readonly MediaStreamTrack[]
  readonly show: (view: OwnPictureView) => void
  readonly send: (source: Source | null) => void
  /** Called when the source ended by itself. */
  readonly onLost: () => void
}

/** Opens and stops one source. Tracks that are not sent are always stopped, so that the light of the camera goes off. */
export class OwnPicture<Source> {
  readonly #parts: OwnPictureParts<Source>
  #source: Source | undefined
  /** Changes with every start and stop, so that a slow opening knows it was replaced. */
  #opening: symbol | undefined

  constructor(parts: OwnPictureParts<Source>) {
    this.#parts = parts
  }

  get isOn(): boolean {
    return this.#source !== undefined || this.#opening !== undefined
  }

  /** Opens a source, replacing the one that is sent. */
  async start(open: () => Promise<Source>, onFailed: (error: unknown) => void): Promise<void> {
    const opening = Symbol()
    this.#opening = opening
    // Releases the previous source first, because phones can open only one camera at a time.
    this.#release()
    this.#parts.show({ phase: 'opening', track: null })
    try {
      const source = await open()
      if (this.#opening !== opening) return this.#close(source)
      this.#use(source)
    } catch (error) {
      if (this.#opening !== opening) return
      this.stop()
      onFailed(error)
    }
  }

  /** Sends the open source once more. */
  sendAgain(): void {
    if (this.#source !== undefined) this.#parts.send(this.#source)
  }

  stop(): void {
    if (!this.isOn) return
    this.#opening = undefined
    this.#release()
    this.#parts.show(NO_PICTURE)
    this.#parts.send(null)
  }

  #use(source: Source): void {
    this.#opening = undefined
    this.#source = source
    const [track = null] = this.#parts.tracksOf(source)
    track?.addEventListener('ended', () => this.#source === source && this.#lose())
    this.#parts.show({ phase: 'on', track })
    this.#parts.send(source)
  }

  #lose(): void {
    this.stop()
    this.#parts.onLost()
  }

  #release(): void {
    const source = this.#source
    this.#source = undefined
    if (source !== undefined) this.#close(source)
  }

  #close(source: Source): void {
    for (const track of this.#parts.tracksOf(source)) track.stop()
  }
}
