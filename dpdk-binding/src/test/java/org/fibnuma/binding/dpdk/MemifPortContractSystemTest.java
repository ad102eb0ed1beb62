package org.fibnuma.binding.dpdk;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortContract;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Two memif ends in this process. */
class MemifPortContractSystemTest extends PortContract
{
    @TempDir
    private Path directory;

    @Override
    protected Port[] open(final FramePool nearPool, final FramePool farPool, final PortSettings settings)
    {
        RequireDpdk.libraries();
        final LinkedPorts link = new LinkedPorts();
        // In one process the first end of a socket decides whether anybody listens on it.
        final Port far = link.server(port("far", 1, "server", FAR_INDEX, farPool, settings));
        return new Port[]{link.client(port("near", 0, "client", NEAR_INDEX, nearPool, settings)), far};
    }

    private Port port(
        final String name,
        final int number,
        final String role,
        final int index,
        final FramePool pool,
        final PortSettings settings)
    {
        return Ports.open(new PortRequest(
            name, "dpdk:net_memif" + number + ",role=" + role + ",id=0,socket=" + directory.resolve("memif.sock") +
            ",socket-abstract=no,rsize=6", index, List.of(pool), settings));
    }
}
