package org.fibnuma.core.port;

/** Capability of a port that can pass frames to this host's kernel as if the port's interface had received them. */
public interface KernelEntry
{
    /**
     * Returns the queue to the kernel of a worker, 0 to {@link Port#queueCount()} - 1: the same object in each call.
     * Any thread.
     */
    KernelQueue kernelQueue(int queue);
}
