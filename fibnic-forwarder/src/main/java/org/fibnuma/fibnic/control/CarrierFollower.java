package org.fibnuma.fibnic.control;

import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortException;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.rib.LinkTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a port that the kernel does not see and the interface that stands for it alike: the kernel is shown the port's
 * link as the interface's carrier, the port gets the address and the MTU that the interface is given. Every change of a
 * link is a line in the log. A port whose device was taken away takes up the next one of its name. Control thread, but
 * {@link #start}.
 */
final class CarrierFollower
{
    /** Is told of devices. */
    @FunctionalInterface
    interface DeviceListener
    {
        /** A port has taken up an interface or follows its new address, or has lost it, where the index is 0. */
        void onDevice(int port, int interfaceIndex);
    }

    private static final Logger LOG = LoggerFactory.getLogger(CarrierFollower.class);

    /** Between two tries to take up a device that is there. */
    private static final long RETRY_MS = TimeUnit.SECONDS.toMillis(1);
    /** Reasons that are told of while a device is not taken up; more are hardly news. */
    private static final int MOST_REASONS = 16;

    private final List<Port> ports;
    private final Map<Integer, KernelPort> exceptions;
    private final LinkTable links;
    private final boolean[] shown;
    private final boolean[] removed;
    private final KernelLink[] known;
    private final LinkLog log;
    private final EpochClock clock;
    private final DeviceListener devices;
    private final List<Set<String>> reasons = new ArrayList<>();
    private final long[] nextTryMs;
    private volatile boolean started;

    /** With an interface for some ports by their index. All have a carrier, as interfaces begin. */
    CarrierFollower(
        final List<Port> ports,
        final Map<Integer, KernelPort> exceptions,
        final LinkTable links,
        final DeviceListener devices,
        final EpochClock clock)
    {
        this.devices = devices;
        this.nextTryMs = new long[ports.size()];
        ports.forEach(port -> reasons.add(new HashSet<>()));
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
            if (removed[port])
            {
                takeUp(port);
            }
            else if (!up && ports.get(port).removed())
            {
                onRemoved(port);
            }
            else
            {
                log.onLook(port, up, clock.time());
            }
            followInterface(port);
        }
        return changed;
    }

    private void onRemoved(final int port)
    {
        removed[port] = true;
        final String name = ports.get(port).interfaceName();
        LOG.warn("port {} ({}): the device is gone: the port neither receives nor sends any more, the others go on; {}",
            ports.get(port).name(), ports.get(port).device(), name.isEmpty() ? "restart the router when it is back" :
            "the next interface " + name + " is taken up");
        if (!name.isEmpty())
        {
            devices.onDevice(port, 0);
        }
    }

    private void takeUp(final int index)
    {
        final Port port = ports.get(index);
        final long nowMs = clock.time();
        if (port.interfaceName().isEmpty() || nowMs < nextTryMs[index])
        {
            return;
        }
        try
        {
            if (port.takeUp())
            {
                removed[index] = false;
                reasons.get(index).clear();
                LOG.info("port {} ({}): the device is back: taken up as interface index {}, MAC {}, MTU {}, {}",
                    port.name(), port.device(), port.interfaceIndex(), MacAddress.format(port.macAddress()),
                    port.mtu(), port.mode());
                devices.onDevice(index, port.interfaceIndex());
            }
        }
        catch (final PortException ex)
        {
            nextTryMs[index] = nowMs + RETRY_MS;
            if (reasons.get(index).size() < MOST_REASONS && reasons.get(index).add(ex.getMessage()))
            {
                LOG.warn("{}; tried again every second", ex.getMessage());
            }
        }
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
        if (!exceptions.containsKey(port))
        {
            followAddress(port);
            return;
        }
        final KernelLink link = links.get(links.interfaceOf(port));
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

    /** An interface that is a port may be given another link-layer address. */
    private void followAddress(final int index)
    {
        final Port port = ports.get(index);
        if (!removed[index] && port.followAddress())
        {
            LOG.info("port {} ({}): MAC {}", port.name(), port.device(), MacAddress.format(port.macAddress()));
            devices.onDevice(index, port.interfaceIndex());
        }
    }
}
