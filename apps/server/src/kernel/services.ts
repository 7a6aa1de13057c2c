/** What a process does: answer requests, hold WebSockets, work behind both, and carry voice. */
export const SERVICES = ['api', 'gateway', 'jobs', 'voice'] as const
export type Service = (typeof SERVICES)[number]

/**
 * The services that are named, in the order of `SERVICES`.
 * @param source where the names are from, as the error tells it
 * @throws Error for one that there is not, and for none
 */
export function servicesNamed(names: readonly string[], source: string): Service[] {
  const unknown = names.find((name) => !SERVICES.some((service) => service === name))
  if (unknown !== undefined)
    throw new Error(`${source} names ${unknown}, which is none of ${SERVICES.join(', ')}`)
  const services = SERVICES.filter((service) => names.includes(service))
  if (services.length === 0) throw new Error(`${source} must name some of ${SERVICES.join(', ')}`)
  return services
}
