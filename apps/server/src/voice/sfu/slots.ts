/** Somebody who may be heard. */
export interface Voice {
  readonly isSpeaking: boolean
  /** When they began to speak, or fell silent. */
  readonly changedAt: number
}

/**
 * Who is to be heard in which slot of a listener. Whoever is in one stays there while they speak, and as long as nobody else
 * needs it: so those of a room that has a slot for each keep theirs for good. A new speaker gets a free slot, or that of
 * who has been silent the longest; while all slots speak, they wait.
 *
 * @param others everybody but the listener, in the order in which they came
 */
export function chooseSlots<Person extends Voice>(
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

function take<Person extends Voice>(slots: (Person | undefined)[], speaker: Person): void {
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

function byChange(a: Voice, b: Voice): number {
  return a.changedAt - b.changedAt
}
