/**
 * The files of a plan, and the reader of routes, ours and those of OpenSM, for the check.
 * <pre>
 *  TurnPlan ----------> TurnSetJson     every forbidden turn pair
 *  ForwardingTables --> StaticRoutes    for each switch our TOML, ip route commands, FRR
 *                        ^
 *                        Addressing: AddressPlan, AddressFileReader, or the configurations of SONiC
 *                   --> OpenSmTables    for opensm -R file -U
 *                   (-- RoutesReader    our TOML, fdbs and lfts of opensm
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fabric.export;
