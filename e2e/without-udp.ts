/** Leads all UDP of an answer to another port, which never answers. */
export function withoutUdp(answer: string, silentPort: number): string {
  return answer.replace(/^(a=candidate:\S+ 1 udp \d+ \S+) \d+/gm, `$1 ${silentPort}`)
}

/** Expression for a page: the protocols of the connected ways of `peer`. Browsers keep statistics for a moment. */
export const PROTOCOLS = `(async () => {
  const stats = [...(await peer.getStats()).values()]
  const ways = stats.filter(({ type, state }) => type === 'candidate-pair' && state === 'succeeded')
  return [...new Set(ways.map(({ remoteCandidateId: id }) => stats.find((stat) => stat.id === id).protocol))].join()
})()`
