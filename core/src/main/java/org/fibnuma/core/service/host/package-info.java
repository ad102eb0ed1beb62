/**
 * Changes of the host that a process must undo. Every change is recorded before it is made; if the process is killed,
 * the next start restores the values. {@link org.fibnuma.core.service.host.InterfaceValues} reads and writes them.
 * <pre>
 *  port --InterfaceValue--> HostChanges --> /run/fibnuma/NAME/PID.changes --> KilledProcesses of the next start
 * </pre>
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.host;
