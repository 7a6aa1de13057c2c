/** The services of a process: answer requests, hold WebSockets, run jobs, and carry voice. */
export const SERVICES = ['api', 'gateway', 'jobs', 'voice'] as const
export type Service = (typeof SERVICES)[number]

/**
 * Returns the named services, in the order of `SERVICES`.
 * @param source origin of the names, for the error
 * @throws Error for an unknown name, and for an empty list
 */
export function servicesNamed(names: readonly string[], source: string): Service[] {
  const unknown = names.find((name) => !SERVICES.some((service) => service === name))
  if (unknown !== undefined)
    throw new Error(`${source} names ${unknown}, which is not one of ${SERVICES.join(', ')}`)
  const services = SERVICES.filter((service) => names.includes(service))
  if (services.length === 0) throw new Error(`${source} must name at least one of ${SERVICES.join(', ')}`)
  return services
}
