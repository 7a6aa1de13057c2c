/** Those who are named, and how many more there are: "You, Mira and 3 others". */
export function reactorsSentence(names: readonly string[], count: number): string {
  const others = Math.max(0, count - names.length)
  const listed = others === 0 ? names : [...names, others === 1 ? '1 other' : `${others} others`]
  const last = listed.at(-1) ?? ''
  return listed.length < 2 ? last : `${listed.slice(0, -1).join(', ')} and ${last}`
}
