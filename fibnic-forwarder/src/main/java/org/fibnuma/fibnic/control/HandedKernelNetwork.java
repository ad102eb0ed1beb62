package org.fibnuma.fibnic.control;

import org.fibnuma.core.kernel.KernelNetwork;
import org.fibnuma.core.kernel.KernelNetworkListener;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.rib.ConnectedNetworks;

import java.util.function.IntSupplier;

/**
 * The kernel of a router whose routes come from a routing daemon: links, addresses, neighbours, the local table and the
 * connected networks. A poll also follows the daemon.
 */
final class HandedKernelNetwork implements KernelNetwork
{
    private final KernelNetwork kernel;
    private final IntSupplier daemon;
    private KernelNetworkListener listener;
    private ConnectedNetworks connected;

    /** Closes the kernel with this. Each poll follows the daemon, which returns above 0 if anything changed. */
    HandedKernelNetwork(final KernelNetwork kernel, final IntSupplier daemon)
    {
        this.kernel = kernel;
        this.daemon = daemon;
    }

    @Override
    public void dump(final KernelNetworkListener to)
    {
        kernel.dump(connected(to));
    }

    @Override
    public int poll(final KernelNetworkListener to)
    {
        return kernel.poll(connected(to)) + daemon.getAsInt();
    }

    @Override
    public String resolve(final int interfaceIndex, final IpAddress address)
    {
        return kernel.resolve(interfaceIndex, address);
    }

    @Override
    public void close()
    {
        kernel.close();
    }

    private ConnectedNetworks connected(final KernelNetworkListener to)
    {
        if (listener != to)
        {
            listener = to;
            connected = new ConnectedNetworks(to);
        }
        return connected;
    }
}
