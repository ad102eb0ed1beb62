package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortContract;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;

import java.io.IOException;
import java.util.List;

class XdpPortContractSystemTest extends PortContract
{
    private VethPair veth;

    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
        throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        veth = new VethPair(1);
        final PortRequest near = new PortRequest("n", "xdp:near", NEAR_INDEX, List.of(nearPool), settings);
        final PortRequest far = new PortRequest("f", "xdp:far", FAR_INDEX, List.of(farPool), settings);
        return new Port[]{
            NetworkNamespace.call(VethPair.namespace(VethPair.NEAR), () -> Ports.open(near)),
            NetworkNamespace.call(VethPair.namespace(VethPair.FAR), () -> Ports.open(far))};
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
