package org.fibnuma.core.port;

/**
 * Queue by which frames enter the kernel of this host as if the interface of a port had received them, see
 * {@link KernelEntry}. Frames include their VLAN tags, and their checksums are complete. Used by one worker.
 */
public interface KernelQueue extends TxQueue
{
    /**
     * Returns whether frames of a length in bytes, without FCS, can enter the kernel in this way now. False also while
     * the port has no interface, or if the kernel or the mode of the port does not permit it.
     */
    boolean takes(int length);
}
