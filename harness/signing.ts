// The entry for deliveries made and signed by hand. It loads no package.
export { Delivery } from './receiver/delivery.js'
export { sampleData } from './service/sample-data.js'
export type { HeaderFamily } from './wire/header-family.js'
export { newSecret } from './wire/signing.js'
