/** The name of a target without its port, where it is on this machine: there it may have another each time. */
export function portless(name: string): string {
  return name.replace(/^(https?:\/\/(?:127\.[\d.]+|localhost|\[::1\])):\d+/, '$1')
}
