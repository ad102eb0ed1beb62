/**
 * The router as a process. {@link org.fibnuma.fibnic.control.Router} opens, starts and closes all its parts;
 * {@link org.fibnuma.fibnic.control.ControlAgent} is its control thread.
 * <pre>
 *  kernel or configuration --KernelNetwork--> ControlAgent --RoutingTables--> FIB, adjacencies, interfaces
 *  workers ------NeighborResolveProxy-------> ControlAgent --resolve--------> kernel
 *  fibnuma show, lookup, verify --socket----> ControlAgent --JSON-----------> answer
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.control;
