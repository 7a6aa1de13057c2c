/** A member who may be assigned to slots. */
export interface SlotMember {
  readonly isSpeaking: boolean
  /** Time at which they began to speak, or fell silent. */
  readonly changedAt: number
}

/**
 * Returns the members for a listener's slots. A member keeps a slot while they speak, and until another needs it, so
 * in a room with enough slots everyone keeps theirs. A new speaker gets a free slot, or the one that has been silent
 * longest. While all slots speak, they wait.
 * @param others everyone except the listener, in order of arrival
 */
export function chooseSlots<Person extends SlotMember>(
  slots: readonly (Person | undefined)[],
  others: readonly Person[],
): (Person | undefined)[] {
  const present = new Set(others)
  const chosen = slots.map((person) => (person && present.has(person) ? person : undefined))
  const seated = new Set(chosen)
  const waiting = others.filter((person) => !seated.has(person))
  const speakers = waiting.filter(({ isSpeaking }) => isSpeaking).sort(byChange)
  for (const speaker of speakers) take(chosen, speaker)
  for (const silent of waiting.filter(({ isSpeaking }) => !isSpeaking)) takeFree(chosen, silent)
  return chosen
}

function take<Person extends SlotMember>(slots: (Person | undefined)[], speaker: Person): void {
  if (takeFree(slots, speaker)) return
  const [quietest] = slots
    .filter((person) => person !== undefined)
    .filter(({ isSpeaking }) => !isSpeaking)
    .sort(byChange)
  if (quietest) slots[slots.indexOf(quietest)] = speaker
}

function takeFree<Person>(slots: (Person | undefined)[], person: Person): boolean {
  const free = slots.indexOf(undefined)
  if (free === -1) return false
  slots[free] = person
  return true
}

function byChange(a: SlotMember, b: SlotMember): number {
  return a.changedAt - b.changedAt
}
