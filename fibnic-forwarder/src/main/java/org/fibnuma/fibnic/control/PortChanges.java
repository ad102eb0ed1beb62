package org.fibnuma.fibnic.control;

import com.fasterxml.jackson.databind.JsonNode;
import org.fibnuma.core.UserException;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.Ports;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.port.fault.FaultPortProvider;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.config.PortConfig;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.fib.ReaderEpochs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.function.Consumer;

/**
 * Removes ports from a running router, adds them again and adds new ones, one change at a time, while the others
 * forward. A removed port leaves nothing on its interface, and keeps its place until a new port needs it. Control
 * thread, except {@link #isRemoved} and {@link #isPortOf}.
 */
final class PortChanges
{
    private static final Logger LOGGER = LoggerFactory.getLogger(PortChanges.class);

    private final List<Port> ports;
    private final PortPlaces places;
    private final ReaderEpochs epochs;
    private final Tables tables;
    private Change pending;

    /** The parts of a router that follow its ports. */
    interface Tables
    {
        /** A port has begun to forward, or ceased: then the kernel has the routes by its interface. */
        void carry(int place, boolean carried);

        /**
         * Opens a port for a place of the router.
         *
         * @return the port, detached and started; nothing of it is on its interface.
         * @throws UserException with one line for the user; nothing stays open.
         */
        Port open(int place, PortConfig config);

        /** Gives a place to a new port, whose interface is the kernel's until {@link #carry}. */
        void take(int place, Port port);

        /** The new port of a place could not attach to its interface. */
        void leave(int place);
    }

    /**
     * Creates the changes of a router.
     *
     * @param ports  by place; {@link Tables#take} changes them.
     * @param places of the ports.
     * @param epochs of the workers.
     * @param tables called before a port gives up its interface, before it takes one and after it has taken it.
     */
    PortChanges(final List<Port> ports, final PortPlaces places, final ReaderEpochs epochs, final Tables tables)
    {
        this.ports = ports;
        this.places = places;
        this.epochs = epochs;
        this.tables = tables;
    }

    /** Returns whether the port of a place was removed, or could not be added; any thread. */
    boolean isRemoved(final int place)
    {
        return place < ports.size() &&
            ports.get(place).capability(Reattachable.class).map(Reattachable::isDetached).orElse(false);
    }

    /** Returns whether the port of a place has the name and device of a configuration; any thread. */
    boolean isPortOf(final int place, final PortConfig config)
    {
        return config != null && place < ports.size() && ports.get(place).name().equals(config.name()) &&
            ports.get(place).device().equals(config.device());
    }

    boolean isChanging(final int place)
    {
        return pending != null && pending.place == place;
    }

    /**
     * Starts to remove a port.
     *
     * @param name   of the port.
     * @param answer called once, now or by {@link #poll}: the port's name and device, or an error of one line.
     */
    void remove(final String name, final Consumer<JsonNode> answer)
    {
        final int place = places.placeOf(name);
        final Reattachable interfaces = usable(name, place, answer);
        if (interfaces == null)
        {
            return;
        }
        if (interfaces.isDetached())
        {
            answer.accept(ControlProtocol.error("port " + name + " is removed already; port add " + name +
                " adds it again"));
            return;
        }
        pending = new Change(place, interfaces, false, answer);
        tables.carry(place, false);
        // Then no worker selects the port, and its FIFOs are empty.
        epochs.retire(interfaces::detach);
    }

    /**
     * Starts to add a port that was removed.
     *
     * @param name   of the port.
     * @param answer as for {@link #remove}.
     */
    void add(final String name, final Consumer<JsonNode> answer)
    {
        final int place = places.placeOf(name);
        if (place >= 0 && ports.get(place).capability(Reattachable.class).isEmpty())
        {
            answer.accept(notRemoved(name));
            return;
        }
        final Reattachable interfaces = usable(name, place, answer);
        if (interfaces == null)
        {
            return;
        }
        if (!interfaces.isDetached())
        {
            answer.accept(notRemoved(name));
            return;
        }
        begin(place, interfaces, answer);
    }

    private static JsonNode notRemoved(final String name)
    {
        return ControlProtocol.error("port " + name + " is not removed; show ports lists the ports");
    }

    /**
     * Starts to add a port that the router has not had so far.
     *
     * @param place  for the port, free or of a removed port, which loses it.
     * @param config of the port.
     * @param answer as for {@link #remove}.
     */
    void addNew(final int place, final PortConfig config, final Consumer<JsonNode> answer)
    {
        if (isBusy(answer))
        {
            return;
        }
        try
        {
            final Port port = tables.open(place, config);
            tables.take(place, port);
            begin(place, port.capability(Reattachable.class).orElseThrow(), answer);
        }
        catch (final UserException ex)
        {
            answer.accept(ControlProtocol.error(ex.getMessage()));
        }
    }

    private void begin(final int place, final Reattachable interfaces, final Consumer<JsonNode> answer)
    {
        final Change change = new Change(place, interfaces, true, answer);
        try
        {
            interfaces.attach();
            pending = change;
        }
        catch (final UserException ex)
        {
            pending = change;
            fail(ex);
        }
    }

    /**
     * Starts to add a port that was removed, or to remove a port; does nothing if that is its state.
     *
     * @param name   of the port.
     * @param wanted true to add the port, false to remove it.
     * @param answer as for {@link #remove}; an empty object where nothing was done.
     */
    void set(final String name, final boolean wanted, final Consumer<JsonNode> answer)
    {
        final int place = places.placeOf(name);
        final boolean isSo = place >= 0 && ports.get(place).capability(Reattachable.class)
            .map(interfaces -> interfaces.isDetached() != wanted).orElse(false);
        if (isSo && pending == null)
        {
            answer.accept(ControlProtocol.object());
        }
        else if (wanted)
        {
            add(name, answer);
        }
        else
        {
            remove(name, answer);
        }
    }

    /** Takes the next step of a change; returns 1 if it has ended. */
    int poll()
    {
        if (pending == null)
        {
            return 0;
        }
        if (pending.isAdding && pending.refusal == null)
        {
            pollAddition();
        }
        else if (pending.interfaces.isDetached())
        {
            pending.interfaces.reattach();
            if (pending.interfaces.isAway())
            {
                end();
            }
        }
        return pending == null ? 1 : 0;
    }

    private void pollAddition()
    {
        try
        {
            if (pending.interfaces.isAway())
            {
                // Its interface may have gone since the request.
                pending.interfaces.attach();
            }
            if (pending.interfaces.reattach())
            {
                tables.carry(pending.place, true);
                end();
            }
        }
        catch (final UserException ex)
        {
            LOGGER.warn("port {} was not added: {}", ports.get(pending.place).name(), ex.getMessage());
            fail(ex);
        }
    }

    /** Gives up the interface; the change ends when nothing of the port is left there. */
    private void fail(final UserException refusal)
    {
        pending.refusal = refusal.getMessage();
        pending.interfaces.detach();
        tables.leave(pending.place);
        if (pending.interfaces.isAway())
        {
            end();
        }
    }

    private void end()
    {
        final Change ended = pending;
        final Port port = ports.get(ended.place);
        pending = null;
        if (ended.refusal != null)
        {
            ended.answer.accept(ControlProtocol.error(ended.refusal));
            return;
        }
        if (ended.isAdding)
        {
            LOGGER.info("port {} ({}): added, interface index {}, MAC {}, MTU {}, {}", port.name(), port.device(),
                port.interfaceIndex(), MacAddress.format(port.macAddress()), port.mtu(), port.mode());
        }
        else
        {
            LOGGER.info("port {} ({}): removed", port.name(), port.device());
        }
        ended.answer.accept(ControlProtocol.object().put("port", port.name()).put("device", port.device())
            .put("change", ended.isAdding ? "added" : "removed"));
    }

    private boolean isBusy(final Consumer<JsonNode> answer)
    {
        if (pending != null)
        {
            answer.accept(ControlProtocol.error(
                "port " + ports.get(pending.place).name() + " is being changed; ask again"));
        }
        return pending != null;
    }

    /** Returns null, after an error was answered, where the port cannot be changed. */
    private Reattachable usable(final String name, final int place, final Consumer<JsonNode> answer)
    {
        final Reattachable interfaces =
            place < 0 ? null : ports.get(place).capability(Reattachable.class).orElse(null);
        final String problem = place < 0 ?
            "there is no port \"" + name + "\"; the ports are " + places.names(this::isRemoved) :
            interfaces == null ? "port " + name + " (" + ports.get(place).device() +
                "): cannot be removed while the router runs, because " + whyFixed(ports.get(place)) : null;
        if (problem != null)
        {
            answer.accept(ControlProtocol.error(problem));
        }
        return problem != null || isBusy(answer) ? null : interfaces;
    }

    private static String whyFixed(final Port port)
    {
        return Ports.whyFixed(port.name(), FaultPortProvider.underlying(port.device()));
    }

    private static final class Change
    {
        private final int place;
        private final Reattachable interfaces;
        private final boolean isAdding;
        private final Consumer<JsonNode> answer;
        /** Why the port is not added; null unless that has failed. */
        private String refusal;

        Change(
            final int place, final Reattachable interfaces, final boolean isAdding, final Consumer<JsonNode> answer)
        {
            this.place = place;
            this.interfaces = interfaces;
            this.isAdding = isAdding;
            this.answer = answer;
        }
    }
}
