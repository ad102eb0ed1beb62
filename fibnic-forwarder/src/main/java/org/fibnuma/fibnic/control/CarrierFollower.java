package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortException;
import org.fibnuma.fibnic.rib.LinkTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Keeps a port that the kernel does not see and the interface that stands for it alike: the kernel is shown the port's
 * link as the interface's carrier, the port gets the address and the MTU that the interface is given. Every change of a
 * link is a line in the log. Control thread, but {@link #start}.
 */
final class CarrierFollower
{
    private static final Logger LOG = LoggerFactory.getLogger(CarrierFollower.class);

    private final List<Port> ports;
    private final Map<Integer, KernelPort> exceptions;
    private final LinkTable links;
    private final boolean[] shown;
    private final boolean[] removed;
    private final KernelLink[] known;
    private final LinkLog log;
    private final EpochClock clock;
    private volatile boolean started;

    /** With an interface for some ports by their index. All have a carrier, as interfaces begin. */
    CarrierFollower(
        final List<Port> ports,
        final Map<Integer, KernelPort> exceptions,
        final LinkTable links,
        final EpochClock clock)
    {
        this.clock = clock;
        this.ports = ports;
        this.exceptions = exceptions;
        this.links = links;
        this.shown = new boolean[ports.size()];
        this.removed = new boolean[ports.size()];
        this.known = new KernelLink[ports.size()];
        this.log = new LinkLog(ports);
        Arrays.fill(shown, true);
    }

    /** The ports run: until then they have no link to show. Any thread. */
    void start()
    {
        started = true;
    }

    /** Looks at every link; yields how many have changed. */
    int poll()
    {
        int changed = 0;
        for (int port = 0; started && port < shown.length; port++)
        {
            final boolean up = ports.get(port).linkUp();
            if (up != shown[port])
            {
                showCarrier(port, up);
                shown[port] = up;
                changed++;
            }
            if (!removed[port] && !up && ports.get(port).removed())
            {
                removed[port] = true;
                LOG.warn("port {} ({}): the device is gone: the port neither receives nor sends any more, the others " +
                    "go on; restart the router when it is back", ports.get(port).name(), ports.get(port).device());
            }
            else if (!removed[port])
            {
                log.onLook(port, up, clock.time());
            }
            followInterface(port);
        }
        return changed;
    }

    private void showCarrier(final int port, final boolean up)
    {
        if (exceptions.containsKey(port))
        {
            exceptions.get(port).carrier(up);
        }
    }

    private void followInterface(final int port)
    {
        final KernelLink link = exceptions.containsKey(port) ? links.get(links.interfaceOf(port)) : null;
        final KernelLink before = known[port];
        known[port] = link;
        if (link != null && before != null && !removed[port] &&
            (link.macAddress() != before.macAddress() || link.mtu() != before.mtu()))
        {
            try
            {
                ports.get(port).adopt(link.macAddress(), link.mtu());
            }
            catch (final PortException ex)
            {
                LOG.warn("{} ({} has MTU {} now)", ex.getMessage(), link.name(), link.mtu());
            }
        }
    }
}
