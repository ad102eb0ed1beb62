package org.fibnuma.fibnic.control;

import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.FiniteInput;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.service.host.HostChanges;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.fibnic.config.ControlMode;
import org.fibnuma.fibnic.config.InterfaceAddress;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.config.RouterConfig;
import org.fibnuma.fibnic.ports.KernelPaths;
import org.fibnuma.fibnic.rate.RateLimit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The open ports of a router, and the ports to the kernel that they need. */
final class OpenPorts implements AutoCloseable
{
    private static final String TUN = "tun:";

    private static final String PUNT_PREFIX = "fib-";

    private static final Logger LOGGER = LoggerFactory.getLogger(OpenPorts.class);

    private final List<Port> ports = new CopyOnWriteArrayList<>();
    private final Map<Integer, KernelPort> exceptions = new TreeMap<>();
    private final HostChanges changes;
    private final RouterConfig config;
    private final List<FramePool> pools;
    private Port puntPort;
    private RateLimit punts;
    private boolean shareWithKernel;

    private OpenPorts(final RouterConfig config, final List<FramePool> pools, final HostChanges changes)
    {
        this.config = config;
        this.pools = pools;
        this.changes = changes;
    }

    static OpenPorts open(final RouterConfig config, final List<FramePool> pools, final HostChanges changes)
    {
        return AllOrNothing.open(new OpenPorts(config, pools, changes), OpenPorts::openAll);
    }

    private void openAll()
    {
        punts = new RateLimit(config.limits().puntsPerSecond());
        Ports.expect(config.ports().stream().map(PortConfig::device).toList());
        for (final PortConfig portConfig : config.ports())
        {
            final Port port = open(portConfig);
            ports.add(port);
            check(portConfig, port);
            if (portConfig.exception() != null)
            {
                openException(portConfig, port);
            }
        }
        shareWithKernel = config.ports().stream().anyMatch(PortConfig::isXdp);
        if (shareWithKernel && Ports.isKnown(TUN))
        {
            openPuntPort();
        }
    }

    private Port open(final PortConfig portConfig)
    {
        try
        {
            return Ports.open(request(portConfig, ports.size()));
        }
        catch (final UserException ex)
        {
            throw at(portConfig, ex);
        }
    }

    private PortRequest request(final PortConfig portConfig, final int index)
    {
        return new PortRequest(
            portConfig.name(), portConfig.device(), index, pools,
            config.rings().withSetsQueueCount(portConfig.setsQueues()), config.portFilter(), changes);
    }

    /**
     * Opens a port of the running router, detached. Control thread.
     *
     * @param place      index of the port.
     * @param portConfig of the port.
     * @return the port, not yet one of {@link #list()}.
     * @throws UserException with one line for the user; nothing stays open.
     */
    Port openDetached(final int place, final PortConfig portConfig)
    {
        final int frameSize = Ports.chunkSize(portConfig.device(), config.rings());
        if (frameSize > config.workers().frameSize())
        {
            throw new UserException("port " + portConfig.name() + " (" + portConfig.device() + "): its MTU needs " +
                "frame-size = " + frameSize + ", and the router runs with " + config.workers().frameSize() +
                "; lower the MTU, or set it in " + config.fileText() + " and restart");
        }
        final Port port = Ports.openDetached(request(portConfig, place));
        try
        {
            check(portConfig, port);
            return port;
        }
        catch (final UserException ex)
        {
            port.close();
            throw ex;
        }
    }

    /**
     * Gives an index to a port of {@link #openDetached}. Control thread.
     *
     * @return the previous port of the index, to be closed when no worker uses it, or null.
     */
    Port put(final int place, final Port port)
    {
        if (place == ports.size())
        {
            ports.add(port);
            return null;
        }
        return ports.set(place, port);
    }

    /** Adds the line of the configuration to the refusal of a device. */
    private UserException at(final PortConfig port, final UserException refusal)
    {
        return new UserException(
            config.at(port.line(), "port.device") + refusal.getMessage(), refusal);
    }

    private void openException(final PortConfig portConfig, final Port port)
    {
        final int index = ports.size() - 1;
        final Port opened = Ports.open(
            new PortRequest(portConfig.name(), portConfig.exception(), index, pools, config.rings()));
        if (!(opened instanceof KernelPort))
        {
            opened.close();
            throw new UserException("port " + port.name() + ": " + portConfig.exception() +
                " is not an interface of the kernel; use exception = \"tap\"");
        }
        final KernelPort exception = (KernelPort)opened;
        exceptions.put(index, exception);
        final boolean isStatic = config.control().mode() == ControlMode.STATIC;
        exception.represent(
            isStatic ? StaticNetwork.macAddress(portConfig, port, index) : port.macAddress(),
            mtu(portConfig, port));
        for (final InterfaceAddress address : portConfig.addresses())
        {
            exception.address(address.address(), address.prefixLength());
        }
        exception.start();
    }

    private void openPuntPort()
    {
        final String name = PUNT_PREFIX + config.name();
        try
        {
            puntPort = Ports.open(new PortRequest(
                "kernel",
                TUN + name.substring(0, Math.min(PortConfig.MAX_INTERFACE_NAME, name.length())),
                ports.size() + config.sparePlaces(),
                pools,
                config.rings()));
        }
        catch (final UserException ex)
        {
            LOGGER.warn("{}; punted frames that do not enter the kernel by the interface of their port are dropped",
                ex.getMessage());
        }
    }

    /**
     * Returns whether frames that the router forwards would pass the kernel's packet filters without it: a port takes
     * them from an interface of the kernel, or the router follows the kernel's routes between interfaces that represent
     * ports.
     */
    boolean bypassPacketFilters()
    {
        return shareWithKernel || config.control().mode().followsKernel() && !exceptions.isEmpty();
    }

    /** Returns the ports by index. */
    List<Port> list()
    {
        return ports;
    }

    KernelPaths kernelPaths()
    {
        return new KernelPaths(puntPort, exceptions, punts);
    }

    /** Changes the rate limit of the frames that each worker punts from a port. Control thread. */
    void puntsPerSecond(final int puntsPerSecond)
    {
        punts.change(puntsPerSecond);
    }

    /** Returns the index of a port's interface in the kernel; 0 without a port or an interface. */
    int interfaceIndex(final int port)
    {
        if (port >= ports.size())
        {
            return 0;
        }
        final Port known = exceptions.containsKey(port) ? exceptions.get(port) : ports.get(port);
        return known.interfaceIndex();
    }

    /** Returns the names of the interfaces that ports follow, by port index; empty if a port follows none. */
    List<String> interfaceNames()
    {
        final List<String> names = new ArrayList<>();
        for (int port = 0; port < ports.size(); port++)
        {
            names.add(exceptions.containsKey(port) ? "" :
                ports.get(port).capability(Reattachable.class).map(Reattachable::interfaceName).orElse(""));
        }
        return names;
    }

    /** Starts to receive; a port that fails here is reported like one that cannot be opened. */
    void start()
    {
        if (puntPort != null)
        {
            puntPort.start();
        }
        for (int port = 0; port < ports.size(); port++)
        {
            try
            {
                ports.get(port).start();
            }
            catch (final UserException ex)
            {
                throw at(config.ports().get(port), ex);
            }
        }
    }

    /** Returns whether no port will ever receive a frame again. */
    boolean exhausted()
    {
        return ports.stream().allMatch(
            port -> port.capability(FiniteInput.class).map(FiniteInput::exhausted).orElse(false));
    }

    @Override
    public void close()
    {
        for (int i = ports.size() - 1; i >= 0; i--)
        {
            ports.get(i).close();
        }
        exceptions.values().forEach(Port::close);
        if (puntPort != null)
        {
            puntPort.close();
        }
    }

    private static int mtu(final PortConfig portConfig, final Port port)
    {
        return portConfig.mtu() == 0 ? port.mtu() : portConfig.mtu();
    }

    private void check(final PortConfig portConfig, final Port port)
    {
        if (config.control().mode().followsKernel() && port.interfaceIndex() == 0 && portConfig.exception() == null)
        {
            throw new UserException("port " + port.name() + ": the kernel has no interface and no addresses for " +
                port.device() + "; use control = \"static\", or exception = \"tap\" of the port, in " +
                config.fileText());
        }
        final int mtu = mtu(portConfig, port);
        final int room = config.workers().frameSize() - FramePool.HEADROOM - EthernetHeaderFlyweight.LENGTH;
        if (mtu > room)
        {
            throw new UserException("port " + port.name() + ": MTU " + mtu + " does not fit frame-size = " +
                config.workers().frameSize() + "; lower the MTU to " + room + ", or set frame-size = 4096 in " +
                config.fileText());
        }
    }
}
