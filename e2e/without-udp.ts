/** Changes the port of all UDP candidates in an SDP answer to a port that never answers. */
export function withoutUdp(answer: string, silentPort: number): string {
  return answer.replace(/^(a=candidate:\S+ 1 udp \d+ \S+) \d+/gm, `$1 ${silentPort}`)
}

/** Expression that returns the protocols of the connected candidate pairs of the page's `peer`, which may be a moment old. */
export const PROTOCOLS = `(async () => {
  const stats = [...(await peer.getStats()).values()]
  const ways = stats.filter(({ type, state }) => type === 'candidate-pair' && state === 'succeeded')
  return [...new Set(ways.map(({ remoteCandidateId: id }) => stats.find((stat) => stat.id === id).protocol))].join()
})()`
