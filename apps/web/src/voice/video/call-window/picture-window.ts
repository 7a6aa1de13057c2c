import { createStore } from 'zustand/vanilla'

declare global {
  interface Window {
    /** Document picture-in-picture, in Chromium on desktops. */
    readonly documentPictureInPicture?: {
      requestWindow(options: { width: number; height: number }): Promise<Window>
    }
  }
}

export interface PictureWindowView {
  /** The document picture-in-picture window, whose content the page renders. */
  readonly page: Window | null
  /** The video in a plain picture-in-picture window, in browsers without the document kind. */
  readonly element: HTMLVideoElement | null
}

const CLOSED: PictureWindowView = { page: null, element: null }
const SIZE = { width: 400, height: 270 }

/** A small window with the call, which stays above all other windows. */
export class PictureWindow {
  readonly api = createStore<PictureWindowView>(() => CLOSED)
  /** The video of a window that is still opening. */
  #pending: HTMLVideoElement | null = null

  /** True if this browser has picture-in-picture windows, for documents or only for videos. */
  static get isPossible(): boolean {
    return window.documentPictureInPicture !== undefined || document.pictureInPictureEnabled === true
  }

  /**
   * Opens the window. Call this while handling a click. Does nothing if the browser refuses.
   * @param track shown in browsers whose window can only have a video
   */
  async open(track: MediaStreamTrack | null): Promise<void> {
    const pages = window.documentPictureInPicture
    if (pages !== undefined) return this.#take(await pages.requestWindow(SIZE).catch(() => null))
    if (track !== null) await this.#openPicture(track)
  }

  close(): void {
    const { page, element } = this.api.getState()
    this.api.setState(CLOSED)
    this.#dropPending()
    page?.close()
    if (element !== null) remove(element)
  }

  #take(page: Window | null): void {
    if (page === null) return
    page.addEventListener('pagehide', () => this.api.getState().page === page && this.api.setState(CLOSED))
    this.api.setState({ page, element: null })
  }

  async #openPicture(track: MediaStreamTrack): Promise<void> {
    this.#dropPending()
    const element = document.createElement('video')
    this.#pending = element
    element.muted = true
    element.playsInline = true
    element.className = 'visually-hidden'
    element.ariaHidden = 'true'
    element.tabIndex = -1
    element.srcObject = new MediaStream([track])
    document.body.append(element)
    try {
      await element.play()
      await element.requestPictureInPicture()
    } catch {
      return element.remove()
    }
    // The window was closed, or opened again, in the meantime.
    if (this.#pending !== element) return remove(element)
    this.#pending = null
    element.addEventListener('leavepictureinpicture', () => {
      if (this.api.getState().element === element) this.close()
    })
    // Set only once the window is open: a new track would interrupt its opening.
    this.api.setState({ page: null, element })
  }

  #dropPending(): void {
    this.#pending?.remove()
    this.#pending = null
  }
}

function remove(element: HTMLVideoElement): void {
  // The window outlives its element. A user may have closed it already.
  if (document.pictureInPictureElement === element) document.exitPictureInPicture().catch(() => undefined)
  element.remove()
}
