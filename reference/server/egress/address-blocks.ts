// Special-purpose address blocks (IANA registries; fixtures/tables/addresses.json has the RFC numbers). The longest prefix decides. IPv4
// outside these blocks is public; IPv6 is public in 2000::/3 only.

/** Blocks that are refused: not globally reachable, multicast, or an IPv6 form that holds a refused IPv4 address. */
export const refusedBlocks: readonly string[] = [
  '0.0.0.0/8', // This network
  '0.0.0.0/32', // This host on this network
  '10.0.0.0/8', // Private-Use
  '100.64.0.0/10', // Shared Address Space (CGNAT)
  '127.0.0.0/8', // Loopback
  '169.254.0.0/16', // Link Local
  '172.16.0.0/12', // Private-Use
  '192.0.0.0/24', // IETF Protocol Assignments
  '192.0.0.0/29', // IPv4 Service Continuity Prefix (DS-Lite)
  '192.0.0.8/32', // IPv4 dummy address
  '192.0.0.170/32', // NAT64/DNS64 Discovery
  '192.0.0.171/32', // NAT64/DNS64 Discovery
  '192.0.2.0/24', // Documentation (TEST-NET-1)
  '192.168.0.0/16', // Private-Use
  '198.18.0.0/15', // Benchmarking
  '198.51.100.0/24', // Documentation (TEST-NET-2)
  '203.0.113.0/24', // Documentation (TEST-NET-3)
  '224.0.0.0/4', // Multicast
  '240.0.0.0/4', // Reserved (former class E)
  '255.255.255.255/32', // Limited Broadcast
  '::/128', // Unspecified Address
  '::1/128', // Loopback Address
  '::ffff:0:0/104', // IPv4-mapped this-network
  '::ffff:a00:0/104', // IPv4-mapped private
  '::ffff:6440:0/106', // IPv4-mapped CGNAT
  '::ffff:7f00:0/104', // IPv4-mapped loopback
  '::ffff:a9fe:0/112', // IPv4-mapped link-local
  '::ffff:ac10:0/108', // IPv4-mapped private
  '::ffff:c0a8:0/112', // IPv4-mapped private
  '::ffff:c000:200/120', // IPv4-mapped documentation
  '::ffff:c612:0/111', // IPv4-mapped benchmarking
  '::ffff:e000:0/100', // IPv4-mapped multicast
  '::ffff:f000:0/100', // IPv4-mapped reserved
  '64:ff9b::/104', // NAT64 this-network
  '64:ff9b::a00:0/104', // NAT64 private
  '64:ff9b::6440:0/106', // NAT64 CGNAT
  '64:ff9b::7f00:0/104', // NAT64 loopback
  '64:ff9b::a9fe:0/112', // NAT64 link-local
  '64:ff9b::ac10:0/108', // NAT64 private
  '64:ff9b::c0a8:0/112', // NAT64 private
  '64:ff9b:1::/48', // IPv4-IPv6 Translation, local-use
  '100::/64', // Discard-Only
  '100:0:0:1::/64', // Dummy IPv6 Prefix
  '2001::/23', // IETF Protocol Assignments
  '2001:2::/48', // Benchmarking
  '2001:10::/28', // Deprecated (previously ORCHID)
  '2001:db8::/32', // Documentation
  '2002::/24', // 6to4 of 0.0.0.0/8
  '2002:a00::/24', // 6to4 of 10.0.0.0/8
  '2002:6440::/26', // 6to4 of 100.64.0.0/10
  '2002:7f00::/24', // 6to4 of 127.0.0.0/8
  '2002:a9fe::/32', // 6to4 of 169.254.0.0/16
  '2002:ac10::/28', // 6to4 of 172.16.0.0/12
  '2002:c0a8::/32', // 6to4 of 192.168.0.0/16
  '3fff::/20', // Documentation
  '5f00::/16', // Segment Routing (SRv6) SIDs
  'fc00::/7', // Unique-Local
  'fe80::/10', // Link-Local Unicast
  'fec0::/10', // Site-Local (deprecated)
  'ff00::/8', // Multicast
]

/** Blocks that may be taken either way: registered but reachable, a form around a public IPv4 address, or unassigned IPv6. */
export const arguableBlocks: readonly string[] = [
  '192.0.0.9/32', // Port Control Protocol Anycast
  '192.0.0.10/32', // TURN Anycast
  '192.31.196.0/24', // AS112-v4
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // Deprecated (6to4 Relay Anycast)
  '192.88.99.2/32', // 6a44-relay anycast
  '192.175.48.0/24', // Direct Delegation AS112 Service
  '::/0', // Everything outside 2000::/3 not named below
  '::/8', // Reserved by IETF (holds embedded-IPv4 formats)
  '::/96', // IPv4-compatible (deprecated)
  '::ffff:0:0/96', // IPv4-mapped Address, other IPv4
  '::ffff:0:0:0/96', // IPv4-translated (SIIT)
  '64:ff9b::/96', // NAT64 well-known prefix, other IPv4
  '2001::/32', // Teredo, other embedded IPv4
  '2001:1::1/128', // Port Control Protocol Anycast
  '2001:1::2/128', // TURN Anycast
  '2001:1::3/128', // DNS-SD SRP Anycast
  '2001:3::/32', // AMT
  '2001:4:112::/48', // AS112-v6
  '2001:20::/28', // ORCHIDv2
  '2001:30::/28', // Drone Remote ID (DETs)
  '2002::/16', // 6to4, other embedded IPv4
  '2620:4f:8000::/48', // Direct Delegation AS112 Service
  '3ffe::/16', // Former 6bone (returned to IANA)
]

/** Blocks that are public although a shorter prefix above is not. */
export const publicBlocks: readonly string[] = ['2000::/3']
