/**
 * Networks of SONiC switches as operators have them: a folder with a {@code config_db.json} and a dump of the routes of
 * each switch.
 * <pre>
 *  config_db.json --> ConfigDatabase --> SonicSwitch --> SonicSite --> Fabric
 *                                            |              |
 *                                         PortQos           |
 *                                            |              v
 *                                      LosslessCheck --> SonicCheck (-- SonicForwarding (-- RouteDumpReader
 *
 *  SonicSite, ForwardingTables --> SonicPatches --> SwitchTarget --> JsonPatch, for config apply-patch
 *             SonicAddresses --> StaticRoutes of export; HostCommands, for ip route, dcb and mlnx_qos
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.sonic;
