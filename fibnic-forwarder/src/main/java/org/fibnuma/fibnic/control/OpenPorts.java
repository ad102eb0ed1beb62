package org.fibnuma.fibnic.control;

import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortException;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.config.ControlMode;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;

/** The ports of a router, all open or none, with the one that leads frames back to the kernel where it is needed. */
final class OpenPorts implements AutoCloseable
{
    private static final String XDP = "xdp:";
    private static final String TUN = "tun:";

    /** Longest interface name, with room for the prefix (IFNAMSIZ - 1, linux/if.h). */
    private static final int MAX_INTERFACE_NAME = 15;
    private static final String PUNT_PREFIX = "fib-";

    private static final Logger LOG = LoggerFactory.getLogger(OpenPorts.class);

    private final List<Port> ports = new ArrayList<>();
    private Port puntPort;

    private OpenPorts()
    {
    }

    static OpenPorts open(final RouterConfig config, final List<FramePool> pools)
    {
        final OpenPorts open = new OpenPorts();
        boolean complete = false;
        try
        {
            open.openAll(config, pools);
            complete = true;
            return open;
        }
        finally
        {
            if (!complete)
            {
                open.close();
            }
        }
    }

    private void openAll(final RouterConfig config, final List<FramePool> pools)
    {
        for (final PortConfig portConfig : config.ports())
        {
            final Port port = Ports.open(new PortRequest(
                portConfig.name(), portConfig.device(), ports.size(), pools, config.rings()));
            ports.add(port);
            check(port, portConfig.mtu() == 0 ? port.mtu() : portConfig.mtu(), config);
        }
        final boolean sharesWithKernel = config.ports().stream().anyMatch(port -> port.device().startsWith(XDP));
        if (sharesWithKernel && Ports.isKnown(TUN))
        {
            openPuntPort(config, pools);
        }
    }

    private void openPuntPort(final RouterConfig config, final List<FramePool> pools)
    {
        final String name = PUNT_PREFIX + config.name();
        try
        {
            puntPort = Ports.open(new PortRequest(
                "kernel",
                TUN + name.substring(0, Math.min(MAX_INTERFACE_NAME, name.length())),
                ports.size(),
                pools,
                config.rings()));
        }
        catch (final PortException ex)
        {
            LOG.warn("{}; destinations behind interfaces that are no ports are dropped", ex.getMessage());
        }
    }

    /** By port index. */
    List<Port> list()
    {
        return ports;
    }

    /** The way to the kernel, or null where no port shares its interface with it. */
    Port puntPort()
    {
        return puntPort;
    }

    void start()
    {
        if (puntPort != null)
        {
            puntPort.start();
        }
        ports.forEach(Port::start);
    }

    /** Whether every port has received the last frame that it ever will. */
    boolean exhausted()
    {
        return ports.stream().allMatch(Port::exhausted);
    }

    @Override
    public void close()
    {
        for (int i = ports.size() - 1; i >= 0; i--)
        {
            ports.get(i).close();
        }
        if (puntPort != null)
        {
            puntPort.close();
        }
    }

    private static void check(final Port port, final int mtu, final RouterConfig config)
    {
        if (config.control().mode() == ControlMode.NETLINK && port.interfaceIndex() == 0)
        {
            throw new RouterException("port " + port.name() + ": the kernel does not know " + port.device() +
                ", so it cannot tell its addresses; use control = \"static\" in " + config.file());
        }
        final int room = config.workers().frameSize() - FramePool.HEADROOM - EthernetHeaderFlyweight.LENGTH;
        if (mtu > room)
        {
            throw new RouterException("port " + port.name() + ": MTU " + mtu + " does not fit frame-size = " +
                config.workers().frameSize() + "; lower the MTU to " + room + ", or set frame-size = 4096 in " +
                config.file());
        }
    }
}
