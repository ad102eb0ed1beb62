package org.fibnuma.fibnic.control;

import org.agrona.collections.IntIntConsumer;
import org.agrona.concurrent.EpochClock;
import org.fibnuma.core.UserException;
import org.fibnuma.core.kernel.KernelLink;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.KernelPort;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.rib.LinkTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * Follows the links and devices of the ports. A port that the kernel does not see has an interface in the kernel. The
 * state of the port's link becomes the carrier of this interface; the interface's MAC address and MTU become the
 * port's. Changes of links and names are logged. A port whose device was removed attaches to the next device of its
 * name, unless another port has that device. Control thread, except {@link #start}.
 */
final class CarrierFollower
{
    private static final Logger LOGGER = LoggerFactory.getLogger(CarrierFollower.class);

    private static final long RETRY_MS = TimeUnit.SECONDS.toMillis(1);
    /** Most reasons logged while the attempts fail. */
    private static final int MOST_REASONS = 16;
    private static final long LINK_LOG_INTERVAL_MS = TimeUnit.SECONDS.toMillis(1);

    private final List<Port> ports;
    private final Map<Integer, KernelPort> exceptions;
    private final LinkTable links;
    private final List<State> states;
    private final EpochClock clock;
    private final IntIntConsumer onDevice;
    private final IntPredicate isChanging;
    private volatile boolean started;

    /** The state of a port that was passed on and logged, and the times of the next log line and attempt. */
    private static final class State
    {
        private boolean carrier = true;
        private boolean up = true;
        private int changes;
        private long nextLogMs;
        private boolean removed;
        /** Whether the port is removed because it was detached or changed, not because of its device. */
        private boolean changed;
        private KernelLink link;
        private String name;
        private final Set<String> reasons = new HashSet<>();
        private long nextTryMs;
    }

    /**
     * Follows ports that all start with a carrier.
     *
     * @param ports      by index; others may be added later.
     * @param exceptions by port index: the kernel interface of a port that the kernel does not see.
     * @param links      of the host, with places for all ports.
     * @param onDevice   called with a port and the interface index of its new device or address, 0 for a lost device.
     * @param isChanging returns whether the port of an index is being added or removed.
     * @param clock      in ms.
     */
    CarrierFollower(
        final List<Port> ports,
        final Map<Integer, KernelPort> exceptions,
        final LinkTable links,
        final IntIntConsumer onDevice,
        final IntPredicate isChanging,
        final EpochClock clock)
    {
        this.ports = ports;
        this.exceptions = exceptions;
        this.links = links;
        this.onDevice = onDevice;
        this.isChanging = isChanging;
        this.clock = clock;
        this.states = Stream.generate(State::new).limit(links.portCount()).toList();
    }

    /** Starts to follow; the ports must have started. Any thread. */
    void start()
    {
        started = true;
    }

    /** Polls every link; returns how many have changed. */
    int poll()
    {
        int count = 0;
        for (int port = 0; started && port < ports.size(); port++)
        {
            final State state = states.get(port);
            final boolean up = ports.get(port).linkUp();
            if (up != state.carrier)
            {
                showCarrier(port, up);
                state.carrier = up;
                count++;
            }
            if (isDetached(port) || isChanging.test(port))
            {
                // PortChanges attaches this port and logs the result.
                state.removed = true;
                state.changed = true;
            }
            else if (state.changed && !ports.get(port).removed())
            {
                state.removed = false;
                state.changed = false;
                state.reasons.clear();
            }
            else if (state.removed)
            {
                attach(port);
            }
            else if (!up && ports.get(port).removed())
            {
                onRemoved(port);
            }
            else
            {
                logLink(port, up, clock.time());
            }
            followInterface(port);
        }
        return count;
    }

    private boolean isDetached(final int port)
    {
        return ports.get(port).capability(Reattachable.class).map(Reattachable::isDetached).orElse(false);
    }

    private void onRemoved(final int port)
    {
        states.get(port).removed = true;
        final String name = ports.get(port).capability(Reattachable.class)
            .map(Reattachable::interfaceName).orElse("");
        LOGGER.warn("port {} ({}): the device is gone: the port no longer receives or sends, other ports continue; {}",
            ports.get(port).name(), ports.get(port).device(), name.isEmpty() ? "restart the router when it is back" :
            "the port attaches to the next interface " + name);
        if (!name.isEmpty())
        {
            onDevice.accept(port, 0);
        }
    }

    private void attach(final int index)
    {
        final Port port = ports.get(index);
        final State state = states.get(index);
        final Optional<Reattachable> reattachable = port.capability(Reattachable.class);
        final long nowMs = clock.time();
        if (reattachable.isEmpty() || nowMs < state.nextTryMs)
        {
            return;
        }
        try
        {
            if (links.isOtherPort(index, reattachable.get().interfaceName()))
            {
                throw new UserException("port " + port.name() + " (" + port.device() + "): the interface " +
                    reattachable.get().interfaceName() + " was renamed and is another port's; rename it, or restart " +
                    "the router");
            }
            if (reattachable.get().reattach())
            {
                state.removed = false;
                state.reasons.clear();
                LOGGER.info("port {} ({}): the device is back: taken up as interface index {}, MAC {}, MTU {}, {}",
                    port.name(), port.device(), port.interfaceIndex(), MacAddress.format(port.macAddress()),
                    port.mtu(), port.mode());
                onDevice.accept(index, port.interfaceIndex());
            }
        }
        catch (final UserException ex)
        {
            state.nextTryMs = nowMs + RETRY_MS;
            if (state.reasons.size() < MOST_REASONS && state.reasons.add(ex.getMessage()))
            {
                LOGGER.warn("{}; tried again every second", ex.getMessage());
            }
        }
    }

    /** Logs the changes of a link in at most one line a second; returns whether a line was written. */
    boolean logLink(final int port, final boolean up, final long nowMs)
    {
        final State state = states.get(port);
        if (up != state.up)
        {
            state.up = up;
            state.changes++;
        }
        if (state.changes == 0 || nowMs < state.nextLogMs)
        {
            return false;
        }
        LOGGER.info("port {}: {}{}", ports.get(port).name(), up ? "link up" : "link down: frames to it are lost",
            state.changes > 1 ? " after " + state.changes + " changes" : "");
        state.changes = 0;
        state.nextLogMs = nowMs + LINK_LOG_INTERVAL_MS;
        return true;
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
            followName(port);
            followAddress(port);
            return;
        }
        final KernelLink link = links.get(links.interfaceOf(port));
        final State state = states.get(port);
        final KernelLink before = state.link;
        state.link = link;
        if (link != null && before != null && !state.removed &&
            (link.macAddress() != before.macAddress() || link.mtu() != before.mtu()))
        {
            try
            {
                ports.get(port).capability(ConfigurableDevice.class)
                    .ifPresent(device -> device.adopt(link.macAddress(), link.mtu()));
            }
            catch (final UserException ex)
            {
                LOGGER.warn("{} ({} has MTU {} now)", ex.getMessage(), link.name(), link.mtu());
            }
        }
    }

    private void followName(final int index)
    {
        final KernelLink link = links.get(links.interfaceOf(index));
        final Port port = ports.get(index);
        final String given = port.capability(Reattachable.class).map(Reattachable::interfaceName).orElse("");
        if (link == null || given.isEmpty())
        {
            return;
        }
        final State state = states.get(index);
        final String before = state.name == null ? given : state.name;
        state.name = link.name();
        if (!link.name().equals(before))
        {
            LOGGER.warn("port {} ({}): its interface of index {} was renamed from {} to {}: the port keeps it{}",
                port.name(), port.device(), link.index(), before, link.name(), link.name().equals(given) ? "" :
                ". After a restart the port is the interface that is named " + given + " then");
        }
    }

    /** Follows a changed link-layer address of an interface that is a port. */
    private void followAddress(final int index)
    {
        final Port port = ports.get(index);
        final boolean isRemoved = states.get(index).removed;
        if (!isRemoved && port.capability(SharedInterface.class).map(SharedInterface::followAddress).orElse(false))
        {
            LOGGER.info("port {} ({}): MAC {}", port.name(), port.device(), MacAddress.format(port.macAddress()));
            onDevice.accept(index, port.interfaceIndex());
        }
    }
}
