/** A host name under the run's control. */
export interface ControlledName {
  readonly host: string
  /** Lookups are answered with the first list, then the second …; the last one stays. A new call replaces them all. */
  answer(...lists: readonly (readonly string[])[]): Promise<void>
}
