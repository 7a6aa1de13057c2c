/** A member who may be assigned to slots. */
export interface SlotMember {
  readonly isSpeaking: boolean
  /** Time at which the member began to speak, or fell silent. */
  readonly changedAt: number
}

type Slots<Person> = (Person | undefined)[]

/**
 * Returns the members for a listener's slots. A member keeps a slot while they speak, and until another speaker needs
 * it, so in a room with enough slots everyone keeps theirs. A new speaker gets the slot beside their camera, a free
 * slot, or the slot that has been silent longest. If all slots have a speaker, new speakers wait. A voice moves beside
 * its camera while both slots are silent.
 * @param others everyone except the listener, in order of arrival
 * @param cameras for each slot, the member whose camera is beside it
 */
export function chooseSlots<Person extends SlotMember>(
  slots: readonly (Person | undefined)[],
  others: readonly Person[],
  cameras: readonly (Person | undefined)[] = [],
): Slots<Person> {
  const present = new Set(others)
  const chosen = slots.map((person) => (person && present.has(person) ? person : undefined))
  for (const [slot, person] of cameras.entries()) moveTo(slot, person, chosen)
  const seated = new Set(chosen)
  const waiting = others.filter((person) => !seated.has(person))
  const speakers = waiting.filter(({ isSpeaking }) => isSpeaking).sort(byChange)
  for (const speaker of speakers) take(chosen, speaker, cameras)
  for (const silent of waiting.filter(({ isSpeaking }) => !isSpeaking)) takeFree(chosen, silent, cameras)
  return chosen
}

/** Moves a voice beside its camera by swapping two slots. Both must be silent, so that no one notices. */
function moveTo<Person extends SlotMember>(
  slot: number,
  person: Person | undefined,
  chosen: Slots<Person>,
): void {
  const from = person === undefined ? -1 : chosen.indexOf(person)
  if (from === -1 || from === slot || person?.isSpeaking || chosen[slot]?.isSpeaking) return
  chosen[from] = chosen[slot]
  chosen[slot] = person
}

function take<Person extends SlotMember>(
  chosen: Slots<Person>,
  speaker: Person,
  cameras: readonly (Person | undefined)[],
): void {
  const isApart = (slot: number) => cameras[slot] === undefined || cameras[slot] !== chosen[slot]
  const quietest = () =>
    [...chosen.keys()]
      .filter((slot) => !chosen[slot]?.isSpeaking)
      .sort((a, b) => Number(isApart(b)) - Number(isApart(a)) || changeOf(chosen[a]) - changeOf(chosen[b]))[0]
  const slot = freeSlot(chosen, cameras) ?? quietest()
  if (slot === undefined) return
  const own = cameras.indexOf(speaker)
  const isOwnSilent = own !== -1 && !chosen[own]?.isSpeaking
  if (!isOwnSilent) chosen[slot] = speaker
  else {
    chosen[slot] = chosen[own]
    chosen[own] = speaker
  }
}

function takeFree<Person>(
  chosen: Slots<Person>,
  person: Person,
  cameras: readonly (Person | undefined)[],
): void {
  const own = cameras.indexOf(person)
  const slot = own !== -1 && chosen[own] === undefined ? own : freeSlot(chosen, cameras)
  if (slot !== undefined) chosen[slot] = person
}

/**
 * Returns a free slot, preferably without a camera beside it: a slot beside a camera is for the voice of the camera's
 * user.
 */
function freeSlot<Person>(
  chosen: Slots<Person>,
  cameras: readonly (Person | undefined)[],
): number | undefined {
  const free = [...chosen.keys()].filter((slot) => chosen[slot] === undefined)
  return free.find((slot) => cameras[slot] === undefined) ?? free[0]
}

function byChange(a: SlotMember, b: SlotMember): number {
  return a.changedAt - b.changedAt
}

function changeOf(person: SlotMember | undefined): number {
  return person?.changedAt ?? 0
}
