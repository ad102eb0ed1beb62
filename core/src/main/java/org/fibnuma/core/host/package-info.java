/**
 * What a process changes on its host and has to put back: written down before it is done, so that the next start puts
 * it back where the process was killed.
 * <pre>
 *  port --InterfaceValue--> HostChanges --> /run/fibnuma/NAME/PID.changes --> KilledProcesses of the next start
 * </pre>
 */
package org.fibnuma.core.host;
