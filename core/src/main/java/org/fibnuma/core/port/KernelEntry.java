package org.fibnuma.core.port;

/** Capability of a port that can give frames to this host's kernel as if the port's interface had received them. */
public interface KernelEntry
{
    /**
     * Returns the queue to the kernel of a worker; any thread.
     *
     * @param queue 0 to {@link Port#queueCount()} - 1.
     * @return the queue, the same object in each call.
     */
    KernelQueue kernelQueue(int queue);
}
