/**
 * What a plan is written as, and the reading of tables, ours and others', for the check.
 * <pre>
 *  TurnPlan ----------> TurnSetJson     every turn pair that is forbidden
 *  ForwardingTables --> StaticRoutes    for each switch our TOML and ip route lines
 *                   --> OpenSmTables    for opensm -R file -U
 *                   (-- RoutesReader    our TOML, fdbs and lfts of opensm
 * </pre>
 */
package org.fibnuma.fabric.export;
