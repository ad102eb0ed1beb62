package org.fibnuma.binding.tun;

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

/** The far port is an AF_XDP port on the interface itself: what a program of this host would be. */
class TapPortContractSystemTest extends PortContract
{
    private TestNamespace namespace;

    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
        throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        namespace = new TestNamespace();
        final PortRequest near = new PortRequest("n", "tap:t0", NEAR_INDEX, List.of(nearPool), settings);
        final PortRequest far = new PortRequest("f", "xdp:t0", FAR_INDEX, List.of(farPool), settings);
        return NetworkNamespace.call(namespace.name(), () ->
        {
            final Port tap = Ports.open(near);
            namespace.setUp("t0");
            return new Port[]{tap, Ports.open(far)};
        });
    }

    @AfterEach
    void removeNamespace()
    {
        if (namespace != null)
        {
            namespace.close();
        }
    }
}
