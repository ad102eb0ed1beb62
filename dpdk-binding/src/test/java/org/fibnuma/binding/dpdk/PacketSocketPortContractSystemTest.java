package org.fibnuma.binding.dpdk;

import org.fibnuma.binding.afxdp.VethPair;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.DelegatingPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortContract;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;

import java.io.IOException;
import java.util.List;

/** DPDK's driver over packet sockets, on both ends of a veth. */
class PacketSocketPortContractSystemTest extends PortContract
{
    private VethPair veth;

    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
        throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        RequireDpdk.libraries();
        veth = new VethPair(1);
        return new Port[]{
            port(VethPair.NEAR, 0, NEAR_INDEX, nearPool, settings),
            port(VethPair.FAR, 1, FAR_INDEX, farPool, settings)};
    }

    @Override
    protected int chunkSize()
    {
        return 4096;
    }

    private static Port port(
        final String end, final int number, final int index, final FramePool pool, final PortSettings settings)
    {
        final PortRequest request = new PortRequest(
            end, "dpdk:net_af_packet" + number + ",iface=" + end, index, List.of(pool), settings);
        final String namespace = VethPair.namespace(end);
        // The driver also looks up its interface by name when it starts.
        return new DelegatingPort(NetworkNamespace.call(namespace, () -> Ports.open(request)))
        {
            @Override
            public void start()
            {
                NetworkNamespace.call(namespace, () ->
                {
                    super.start();
                    return null;
                });
            }
        };
    }

    @AfterEach
    void removeVeth()
    {
        if (veth != null)
        {
            veth.close();
        }
    }
}
