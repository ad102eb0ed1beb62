/**
 * {@code shm:} ports: a link between two processes of one machine through a file in shared memory, without system
 * calls. Each queue has a ring for each direction and a slot of memory for each descriptor. The sender copies a frame
 * into the slot and the receiver copies it out, so that neither accesses other memory of the peer. Invalid data that
 * the peer writes into the file can affect frames only.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.port.shm;
