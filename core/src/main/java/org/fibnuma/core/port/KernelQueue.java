package org.fibnuma.core.port;

/**
 * Queue by which frames enter the kernel of this host as if the interface of a port had received them, see
 * {@link KernelEntry}. Frames include their tags, and their checksums are complete. Used by one worker.
 */
public interface KernelQueue extends TxQueue
{
    /**
     * Returns whether frames of a length can enter the kernel in this way now.
     *
     * @param length in bytes, without FCS.
     * @return false also while the port has no interface, or if the kernel or the mode of the port does not permit it.
     */
    boolean takes(int length);
}
