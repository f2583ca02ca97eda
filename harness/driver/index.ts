// The entry of drivers: programs on standard input and output, or a function in this process.
export { inProcessDriver, type DriverHandler } from './in-process.js'
export type { DriverReply, DriverSource } from './link.js'
export { driverCommand, DriverProcess } from './process.js'
