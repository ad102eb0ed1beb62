/**
 * {@code shm:} ports: a link between two processes of one machine, through a file in shared memory and without system
 * calls. For each queue there is a ring each way, and beside each descriptor a slot for its frame: the sender copies it
 * in and the receiver out, and neither ever reads or writes memory of the other's. What the peer writes into the file
 * can spoil frames and nothing else.
 */
package org.fibnuma.core.port.shm;
