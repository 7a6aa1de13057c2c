/** Audio output of the page. */
export interface Outlet {
  readonly context: AudioContext
  /** Sources connect to this node. */
  readonly input: AudioNode
  /** @param deviceId empty for the system default */
  choose(deviceId: string): void
  close(): void
}

interface Choosing {
  setSinkId(deviceId: string): Promise<void>
}

export function outletOf(context: AudioContext): Outlet {
  return canChoose(context) ? choosingOutlet(context) : outletWithElement(context)
}

/** True if this browser lets a page choose its output device. */
export function mayChooseOutput(): boolean {
  return 'setSinkId' in AudioContext.prototype || 'setSinkId' in HTMLMediaElement.prototype
}

function choosingOutlet(context: AudioContext & Choosing): Outlet {
  return {
    context,
    input: context.destination,
    choose: (deviceId) => void context.setSinkId(deviceId).catch(() => undefined),
    close: () => void context.close().catch(() => undefined),
  }
}

/** In Firefox, only media elements can choose a device. Once the user has chosen a device, audio goes through an element. */
function outletWithElement(context: AudioContext): Outlet {
  const input = context.createGain()
  input.connect(context.destination)
  let element: HTMLAudioElement | undefined
  return {
    context,
    input,
    choose: (deviceId) => {
      element ??= elementBehind(context, input)
      const chosen = canChoose(element) ? element.setSinkId(deviceId) : Promise.resolve()
      chosen.catch(() => undefined)
    },
    close: () => {
      element?.pause()
      context.close().catch(() => undefined)
    },
  }
}

function elementBehind(context: AudioContext, input: AudioNode): HTMLAudioElement {
  const ahead = context.createMediaStreamDestination()
  const element = new Audio()
  element.srcObject = ahead.stream
  element.play().catch(() => undefined)
  input.disconnect()
  input.connect(ahead)
  return element
}

/** True if the target can choose its output device. */
export function canChoose<T extends object>(target: T): target is T & Choosing {
  return 'setSinkId' in target
}
